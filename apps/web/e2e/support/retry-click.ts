// Repeats a user's click whose request a killed node accepted but did not answer: the page reports
// this, and the user clicks again. Requests that the client retries by itself need no second click.
import { CallError, NO_ANSWER } from '@keyfold/contract/client';
import { BROKEN_OFF } from '@keyfold/testing/cluster/balancer';
import type { BrowserContext, JSHandle, Page, Response } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';

/** Pages whose test repeats the click itself. */
const byHand = new WeakSet<Page>();

/**
 * Maximum time from a click to the change request it causes; a password's key may be derived in
 * between.
 */
const PRESSED_BEFORE_MS = 3_000;
/** Maximum wait for the message to appear and for the button to be enabled again. */
const SAID_AFTER_MS = 5_000;

/** A button, or a code field, which submits with its last digit. */
type Pressed = {
  readonly on: Element;
  readonly code: string | null;
  readonly at: number;
  /** How often the message was on the page at that time. */
  readonly said: number;
  isAgain?: boolean;
};

async function pressOn(pressed: JSHandle<Pressed | null>): Promise<void> {
  const on = (await pressed.getProperty('on')).asElement();
  const code = await pressed.evaluate(one => one?.code ?? null);
  if (code === null) return on?.click({ timeout: SAID_AFTER_MS });
  await on?.fill('', { timeout: SAID_AFTER_MS });
  await on?.fill(code);
}

async function pressLostAgain(page: Page, response: Response): Promise<void> {
  const askedAt = response.request().timing().startTime;
  const pressed: JSHandle<Pressed | null> = await page.evaluateHandle(
    ({ from, to }) => {
      const last = (globalThis as { lastPressed?: Pressed }).lastPressed;
      if (last === undefined || last.isAgain || last.at < from || last.at > to) return null;
      last.isAgain = true;
      return last;
    },
    { from: askedAt - PRESSED_BEFORE_MS, to: askedAt },
  );
  const said = await pressed.evaluate(one => one?.said ?? null);
  if (said === null) return;
  await page.getByText(NO_ANSWER).nth(said).waitFor({ timeout: SAID_AFTER_MS });
  await pressOn(pressed);
}

/**
 * In all pages of a browser profile, clicks the button of a change again when a killed node
 * accepted that change and the page reports that no answer came. Does nothing where no nodes are
 * killed.
 */
export async function retryLostClicks(context: BrowserContext): Promise<void> {
  if (clusterKillsMs === null) return;
  await context.addInitScript(words => {
    // A message's frame runs no script, and the browser logs a blocked listener too.
    if (self !== top) return;
    const countSaid = (): number => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      let said = 0;
      while (texts.nextNode() !== null) if (texts.currentNode.nodeValue?.includes(words)) said++;
      return said;
    };
    const note = (on: Element | null, code: string | null) => {
      if (on === null) return;
      Object.assign(globalThis, { lastPressed: { on, code, at: Date.now(), said: countSaid() } });
    };
    const noteClick = ({ target }: Event) =>
      target instanceof Element && note(target.closest('button'), null);
    const noteInput = ({ target: field }: Event) =>
      field instanceof HTMLInputElement && field.autocomplete === 'one-time-code' && note(field, field.value);
    addEventListener('click', noteClick, true);
    addEventListener('input', noteInput, true);
  }, NO_ANSWER);
  context.on('page', page =>
    page.on('response', response => {
      if (response.headers()[BROKEN_OFF] === undefined || response.request().method() === 'GET') return;
      // A page that was closed meanwhile, or that continues by itself, needs no click.
      if (!byHand.has(page)) pressLostAgain(page, response).catch(() => undefined);
    }),
  );
}

/** Returns whether the page reported a missing answer before the awaited result arrived. */
const isLost = (page: Page, arrived: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    arrived.then(
      () => false,
      () => false,
    ),
    page
      .getByText(NO_ANSWER)
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      ),
  ]);

/**
 * Clicks, and once more when the page reports that the server could not be reached; resolves with
 * `arrived`.
 */
export async function pressUntil(
  page: Page,
  press: () => Promise<void>,
  arrived: () => Promise<unknown>,
): Promise<void> {
  byHand.add(page);
  try {
    await press();
    if (clusterKillsMs !== null && (await isLost(page, arrived()))) await press();
    await arrived();
  } finally {
    byHand.delete(page);
  }
}

/**
 * Creates something that can exist only once, and retries when a killed node gave no answer.
 * Finding that it already exists counts as success.
 */
export async function makeOne(make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (clusterKillsMs === null || !(error instanceof CallError) || error.code !== 'no_answer') throw error;
    await make().catch(again => {
      if (!(again instanceof CallError) || again.status !== 409) throw again;
    });
  }
}
