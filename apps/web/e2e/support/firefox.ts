// Firefox for stories, driven over WebDriver BiDi by puppeteer-core; Playwright cannot drive the
// Firefox that systems ship. A page that logs an error, throws, or violates the content policy
// fails its story.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { api } from '@keyfold/contract';
import { createClient } from '@keyfold/contract/client';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { inboxPath, register } from './accounts.ts';

const paths = [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Path of Firefox, or null when the machine has none. */
export const firefoxPath: string | null = paths.find(path => path !== undefined && existsSync(path)) ?? null;

/** Maximum wait for one step of a story, generous for a busy machine. */
const STEP_TIMEOUT_MS = 30_000;
/** Pause between two checks for new mail. */
const LOOK_AGAIN_MS = 500;
/** Maximum number of characters reported per page of a failed story. */
const SHOWN_MAX_CHARS = 4_000;
/** Time without a request after which a page counts as loaded. */
const QUIET_MS = 100;

/** Opens a headless Firefox that saves downloads in `downloads` without asking. */
export function openFirefox(downloads: string): Promise<Browser> {
  if (firefoxPath === null) throw new Error('No Firefox found. Install it or set FIREFOX_PATH.');
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    extraPrefsFirefox: {
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      // Without a graphics card, animations cost more than everything else.
      'ui.prefersReducedMotion': 1,
      'dom.ipc.processPrelaunch.enabled': false,
    },
  });
}

export type FirefoxPerson = { readonly page: Page; readonly problems: string[] };

/** Runs in every page before its own scripts. */
function prepareDocument(hasServiceWorker: boolean): void {
  // It fetches the whole program, which only one story needs.
  if (!hasServiceWorker && 'serviceWorker' in navigator)
    ServiceWorkerContainer.prototype.register = () => new Promise(() => undefined);
  try {
    if (localStorage.getItem('undo_send_seconds') === null) localStorage.setItem('undo_send_seconds', '0');
    sessionStorage.setItem('kit_later', '1');
  } catch {
    // A page without storage.
  }
}

/**
 * Returns whether an error may be about a script whose loading ended because the page was left:
 * Firefox then compares the hash of what has arrived. A script that is really altered never runs,
 * and its story fails without it.
 */
const isOfLeaving = (text: string): boolean =>
  /^None of the “sha256” hashes in the integrity attribute|^Failed to load ‘.*A ServiceWorker intercepted/.test(
    text,
  );

/** Opens a separate profile with one page; `problems` collects what no page may do. */
export async function openFirefoxPerson(
  browser: Browser,
  { hasServiceWorker = false } = {},
): Promise<FirefoxPerson> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage({ type: 'window' });
  await page.setViewport({ width: 1440, height: 900 });
  page.setDefaultTimeout(STEP_TIMEOUT_MS);
  await page.evaluateOnNewDocument(prepareDocument, hasServiceWorker);
  const problems: string[] = [];
  page.on('pageerror', error => {
    const text = error instanceof Error ? error.message : String(error);
    if (!isOfLeaving(text)) problems.push(`error: ${text}`);
  });
  page.on('console', message => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`);
  });
  return { page, problems };
}

/** Opens a page once the current one has loaded and saved everything. */
export async function go(page: Page, address: string): Promise<void> {
  await page.waitForNetworkIdle({ idleTime: QUIET_MS });
  await page.goto(address);
}

/** Elements that have a role without naming it. */
const IMPLICIT_ROLES: Readonly<Record<string, string>> = {
  button: 'button',
  heading: 'h1, h2, h3',
  list: 'ul, ol',
  radio: 'input[type=radio]',
  textbox: 'input:not([type]), input[type=text], input[type=email], textarea',
};

/** Time between two looks for an element. */
const POLL_MS = 100;

/**
 * Returns the first visible element that matches `selector` and has this name. Firefox can search
 * its accessibility tree instead, but that takes more time than the rest of a story.
 */
function findNamed(selector: string, name: string): Element | null {
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden=true], svg')) hidden.remove();
    return copy.textContent ?? '';
  };
  const nameOf = (element: Element): string => {
    const label = element.getAttribute('aria-label');
    if (label !== null) return label;
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = (element as HTMLInputElement).labels ?? [];
    const named = [...ids.map(id => document.getElementById(id)), ...labels].filter(one => one !== null);
    return (named.length === 0 ? [element] : named).map(textOf).join(' ');
  };
  const isVisible = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const all = [...document.querySelectorAll(selector)];
  return all.find(one => nameOf(one).trim() === name && isVisible(one)) ?? null;
}

const selectorOf = (role: string): string =>
  [`[role=${role}]`, ...(role in IMPLICIT_ROLES ? [IMPLICIT_ROLES[role]] : [])].join(', ');

/** Resolves with the first visible element with this role and accessible name. */
export async function see(page: Page, role: string, name: string): Promise<ElementHandle<Element>> {
  const found = await page
    .waitForFunction(findNamed, { polling: POLL_MS }, selectorOf(role), name)
    .catch(cause => {
      throw new Error(`No ${role} "${name}"`, { cause });
    });
  return found as ElementHandle<Element>;
}

/** Resolves when no visible element has this role and name. */
export async function seeGone(page: Page, role: string, name: string): Promise<void> {
  const isThere = () => page.evaluate(findNamed, selectorOf(role), name).then(Boolean);
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; await isThere(); await pause(POLL_MS))
    if (Date.now() > deadline) throw new Error(`The ${role} "${name}" remains`);
}

/** Resolves with the first visible element that contains this text. */
export async function seeText(page: Page, text: string): Promise<ElementHandle<Element>> {
  const found = await page.waitForSelector(`::-p-text(${text})`, { visible: true });
  if (found === null) throw new Error(`No text "${text}"`);
  return found;
}

/** Clicks the first visible element with this role and name once it no longer moves. */
export async function press(page: Page, role: string, name: string): Promise<void> {
  const element = await see(page, role, name);
  const place = () =>
    element.evaluate(one => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const isDisabled = one.matches(':disabled, [aria-disabled=true]');
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return isDisabled || !one.contains(hit) ? null : `${left} ${top}`;
    });
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    const before = await place();
    await pause(POLL_MS);
    if (before !== null && before === (await place())) break;
  }
  await element.click();
}

/** Types into the field with this role and name, after what it contains. */
export async function typeInto(page: Page, role: string, name: string, text: string): Promise<void> {
  await (await see(page, role, name)).type(text);
}

/** Gives files to the hidden field with this label. */
export async function giveFiles(page: Page, label: string, ...files: readonly string[]): Promise<void> {
  const field = await page.waitForSelector(`input[type=file][aria-label="${label}"]`);
  if (field === null) throw new Error(`No field "${label}"`);
  await (field as ElementHandle<HTMLInputElement>).uploadFile(...files);
}

/** Checks for new mail until a message with this subject is in the list; resolves with its row. */
export async function awaitRow(page: Page, subject: string): Promise<ElementHandle<Element>> {
  const row = `#list li[data-index] ::-p-text(${subject})`;
  for (const deadline = Date.now() + STEP_TIMEOUT_MS; Date.now() < deadline; ) {
    await press(page, 'button', 'Refresh');
    const found = await page
      .waitForSelector(row, { visible: true, timeout: LOOK_AGAIN_MS })
      .catch(() => null);
    if (found !== null) return found;
  }
  throw new Error(`No mail "${subject}" came`);
}

/** Returns the subject of each row in the list, in order; "" if no test wrote it. */
export const rowSubjects = (page: Page): Promise<string[]> =>
  page.$$eval('#list li[data-index]', rows =>
    rows.map(row => /(?:[A-Z][a-z]+) letter(?: \d+)?/.exec(row.textContent ?? '')?.[0] ?? ''),
  );

/** Returns the files of the origin private file system with their content as text. */
export const readIndexFiles = (page: Page): Promise<{ readonly name: string; readonly text: string }[]> =>
  page.evaluate(async () => {
    const found: { name: string; text: string }[] = [];
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const handle of folder.values()) {
        if (handle instanceof FileSystemDirectoryHandle) await walk(handle);
        else found.push({ name: handle.name, text: await (await handle.getFile()).text() });
      }
    };
    await walk(await navigator.storage.getDirectory());
    return found;
  });

/** Creates an account, signs it in on this page, and ends in its inbox. */
export async function joinInFirefox(
  page: Page,
  baseUrl: string,
  name: string,
  username: string,
): Promise<void> {
  await page.goto(`${baseUrl}/app/signin`);
  const client = createClient(api, ({ path, method, headers, body }) =>
    page.evaluate(
      async (address, init) => {
        const reply = await fetch(address, init);
        return { status: reply.status, retryAfter: null, json: (await reply.json()) as unknown };
      },
      path,
      { method, headers, ...(body === undefined ? {} : { body }) },
    ),
  );
  const kept = await register(client, name, username);
  await page.evaluate(entries => {
    for (const [key, value] of entries) localStorage.setItem(key, value);
  }, Object.entries(kept));
  await page.goto(baseUrl + inboxPath);
  await see(page, 'button', 'Refresh');
}

/** Closes all profiles; first prints what their pages show if their story failed. */
export async function closeFirefoxPages(browser: Browser, isFailed: boolean): Promise<void> {
  for (const context of browser.browserContexts()) {
    if (context === browser.defaultBrowserContext()) continue;
    for (const page of isFailed ? await context.pages() : []) {
      const shown = await page.evaluate(() => document.body.innerText).catch(String);
      process.stderr.write(`A page was open at ${page.url()}\n${shown.slice(0, SHOWN_MAX_CHARS)}\n`);
    }
    await context.close();
  }
}
