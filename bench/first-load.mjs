/**
 * first-load: the JavaScript that a browser asks for until it shows the sign-in form, and until somebody who signed in
 * there sees their list, workers included, in kilobytes of brotli; and how long both take. The list's time is that of a
 * later visit, when the browser has the program already. Argument: rounds (default 5).
 */
import { brotliCompressSync } from 'node:zlib';
import { createProduct } from '@keyfold/testing/product';
import { openBrowser } from '../apps/web/e2e/harness/open-browser.ts';
import { openPerson } from '../apps/web/e2e/support/browser.ts';
import { openList, reader } from '../apps/web/e2e/support/full-mailbox.ts';
import { letterOf } from '../apps/web/e2e/support/newsletters.ts';
import { sendFromOutside } from '../apps/web/e2e/support/outside.ts';
import { signIn, signUp } from '../apps/web/e2e/support/people.ts';

const LETTERS = 50;
const FORM = 'input[type=password]';
const ROW = 'ul[aria-label="Messages"] li';

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Remembers when something first stood on the page, by the clock that requests are timed with. */
const watchFor = (page, selectors) =>
  page.addInitScript(wanted => {
    const seen = {};
    Object.assign(globalThis, { firstSeen: seen });
    const look = () => {
      for (const selector of wanted)
        if (!(selector in seen) && document.querySelector(selector)) seen[selector] = Date.now();
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  }, selectors);

const firstSeen = (page, selector) => page.evaluate(name => globalThis.firstSeen[name], selector);

/** Collects the scripts that the profile asks for: address, start of the request, size. */
function collectScripts(context) {
  const scripts = [];
  context.on('requestfinished', request => {
    if (!new URL(request.url()).pathname.endsWith('.js')) return;
    const startedAt = request.timing().startTime;
    const size = request.response().then(async reply => brotliCompressSync(await reply.body()).length);
    scripts.push({ url: request.url(), startedAt, size: size.catch(() => 0) });
  });
  return async beforeMs => {
    const asked = new Map(scripts.filter(one => one.startedAt <= beforeMs).map(one => [one.url, one.size]));
    const sizes = await Promise.all(asked.values());
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
  };
}

async function measureOnce(browser, baseUrl) {
  const { context, page } = await openPerson(browser);
  try {
    const kilobytesBefore = collectScripts(context);
    await watchFor(page, [FORM, ROW]);
    await page.goto(`${baseUrl}/app/signin`);
    await page.locator(FORM).waitFor();
    await page.waitForLoadState('networkidle');
    const formAt = await firstSeen(page, FORM);
    const signinMs = formAt - (await page.evaluate(() => performance.timeOrigin));
    const signinKb = await kilobytesBefore(formAt);
    await signIn(page, baseUrl, reader);
    await page.locator(ROW).first().waitFor();
    await page.waitForLoadState('networkidle');
    const listKb = await kilobytesBefore(await firstSeen(page, ROW));
    await openList(page, baseUrl);
    const listMs = (await firstSeen(page, ROW)) - (await page.evaluate(() => performance.timeOrigin));
    return { signinKb, signinMs, listKb, listMs };
  } finally {
    await context.close();
  }
}

export async function run([rounds = '5']) {
  const product = await createProduct();
  await product.start();
  const browser = await openBrowser();
  const all = [];
  try {
    const { context, page } = await openPerson(browser);
    await signUp(page, product.baseUrl, 'Rita Reader', 'reader');
    await context.close();
    const letters = Array.from({ length: LETTERS }, (_, number) => letterOf(number * 6, reader));
    await sendFromOutside(product.smtpPort, ...letters);
    for (let n = 0; n < Number(rounds); n++) all.push(await measureOnce(browser, product.baseUrl));
  } finally {
    await browser.close();
    await product.remove();
  }
  const line = (kind, peer, unit) => ({
    ours: Number(median(all.map(one => one[kind])).toFixed(1)),
    peer,
    unit,
    peer_is: 'the budget',
    goal: '<= 1',
  });
  return [
    line('signinKb', 120, 'KB of brotli, JavaScript before the sign-in form'),
    line('listKb', 200, 'KB of brotli, JavaScript before the list, by way of the form'),
    line('signinMs', 500, 'ms until the sign-in form, cold'),
    line('listMs', 1200, 'ms until the list, warm'),
  ];
}
