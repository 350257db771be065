/**
 * main-thread: the longest task of the page's main thread during a cold open of a list and of fifty
 * messages after it, some of them newsletters of 100 KB. Measured in wall-clock time, in processor
 * time (which other programs do not lengthen), and with the processor at a quarter of its speed.
 * Argument: rounds (default 5).
 */
import { createProduct } from '@keyfold/testing/product';
import { openBrowser } from '../apps/web/e2e/harness/open-browser.ts';
import { openPerson } from '../apps/web/e2e/support/browser.ts';
import { fillMailbox, openList, reader, readMessages } from '../apps/web/e2e/support/full-mailbox.ts';
import { longest, traceTasks } from '../apps/web/e2e/support/main-thread.ts';
import { signIn } from '../apps/web/e2e/support/people.ts';

const LIMIT_MS = 50;
const SLOW_LIMIT_MS = 200;
const SLOWDOWN = 4;

const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const round = value => Number(value.toFixed(1));

async function measureOnce(browser, baseUrl, known, slowdown) {
  const { context, page } = await openPerson(browser);
  await context.addCookies(known);
  try {
    await signIn(page, baseUrl, reader);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return await traceTasks(browser, page, async () => {
      await openList(page, baseUrl);
      await readMessages(page);
    });
  } finally {
    await context.close();
  }
}

export async function run([rounds = '5']) {
  const product = await createProduct();
  await product.start();
  const browser = await openBrowser({ isWhole: true });
  /** @type {Record<'wallMs' | 'cpuMs' | 'slowCpuMs', number[]>} */
  const worst = { wallMs: [], cpuMs: [], slowCpuMs: [] };
  try {
    const known = await fillMailbox(product, browser);
    for (let n = 0; n < Number(rounds); n++) {
      const tasks = await measureOnce(browser, product.baseUrl, known, 1);
      worst.wallMs.push(longest(tasks, 'wallMs'));
      worst.cpuMs.push(longest(tasks, 'cpuMs'));
      worst.slowCpuMs.push(longest(await measureOnce(browser, product.baseUrl, known, SLOWDOWN), 'cpuMs'));
    }
  } finally {
    await browser.close();
    await product.remove();
  }
  const line = (kind, peer, unit) => ({
    ours: round(median(worst[kind])),
    peer,
    unit: `ms, longest task, ${unit}`,
    peer_is: 'the limit',
    goal: '<= 1',
  });
  return [
    line('cpuMs', LIMIT_MS, 'CPU time'),
    line('wallMs', LIMIT_MS, 'wall-clock time'),
    line('slowCpuMs', SLOW_LIMIT_MS, `CPU slowed down ${SLOWDOWN} times`),
  ];
}
