/**
 * first-load: the JavaScript that a browser requests until it shows the sign-in form, and until a
 * user who signed in there sees the list, workers included, in kilobytes of brotli; and how long
 * both take. The list's time is measured for a later visit, with the client already cached, and for
 * a first visit on a slow line with a slow processor, with nothing stored but the session.
 * Argument: rounds (default 5).
 */
import { createProduct } from '@keyfold/testing/product';
import { openBrowser } from '../apps/web/e2e/harness/open-browser.ts';
import { openPerson } from '../apps/web/e2e/support/browser.ts';
import {
  collectScripts,
  firstSeen,
  listRow,
  loadMs,
  signinForm,
  watchFor,
} from '../apps/web/e2e/support/first-load.ts';
import { fillMailbox, openList, reader } from '../apps/web/e2e/support/full-mailbox.ts';
import { signIn } from '../apps/web/e2e/support/people.ts';
import { atMost } from './shared/goals.mjs';

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** 1.6 Mbit/s, 150 ms round trip, a quarter of the CPU's speed (docs/acceptance.md 18). */
const slowLine = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
const slowCpu = { rate: 4 };

/**
 * Returns the milliseconds until a signed-in user sees the list, in a browser with an empty cache.
 */
async function measureSlow(browser, baseUrl, storageState) {
  const { context, page } = await openPerson(browser, { storageState });
  try {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', slowLine);
    await devtools.send('Emulation.setCPUThrottlingRate', slowCpu);
    await watchFor(page, listRow);
    await page.goto(`${baseUrl}/app/inbox/recieved/0`);
    return await loadMs(page, listRow);
  } finally {
    await context.close();
  }
}

async function measureOnce(browser, baseUrl, known) {
  const { context, page } = await openPerson(browser);
  await context.addCookies(known);
  try {
    const kilobytesUntil = collectScripts(context);
    await watchFor(page, signinForm, listRow);
    await page.goto(`${baseUrl}/app/signin`);
    const signinKb = await kilobytesUntil(await firstSeen(page, signinForm));
    const signinMs = await loadMs(page, signinForm);
    await signIn(page, baseUrl, reader);
    const listKb = await kilobytesUntil(await firstSeen(page, listRow));
    await openList(page, baseUrl);
    const listMs = await loadMs(page, listRow);
    const slowMs = await measureSlow(browser, baseUrl, await context.storageState({ indexedDB: true }));
    return { signinKb, signinMs, listKb, listMs, slowMs };
  } finally {
    await context.close();
  }
}

export async function run([rounds = '5']) {
  const product = await createProduct();
  await product.start();
  const browser = await openBrowser({ isWhole: true });
  const all = [];
  try {
    const known = await fillMailbox(product, browser);
    for (let n = 0; n < Number(rounds); n++) all.push(await measureOnce(browser, product.baseUrl, known));
  } finally {
    await browser.close();
    await product.remove();
  }
  const line = (kind, peer, unit) =>
    atMost(1, {
      ours: Number(median(all.map(one => one[kind])).toFixed(1)),
      peer,
      unit,
      peer_is: 'the budget',
      goal: '<= 1',
    });
  return [
    line('signinKb', 110, 'KB of brotli, JavaScript before the sign-in form'),
    line('listKb', 200, 'KB of brotli, JavaScript before the list, via the form'),
    line('signinMs', 500, 'ms until the sign-in form, cold'),
    line('listMs', 1200, 'ms until the list, warm'),
    line('slowMs', 3500, 'ms until the list, cold, at 1.6 Mbit/s, 150 ms and a quarter of the CPU'),
  ];
}
