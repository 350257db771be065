/**
 * input-latency: from key to paint in Chromium: from Ctrl K to the palette, warm, and from `j` and
 * `k` to the painted text of a message that was prefetched or opened before. Medians. Arguments:
 * rounds (default 9). The peer of each line is its limit in the acceptance list.
 */

import { createProduct } from '@keyfold/testing/product';
import { join } from '../apps/web/e2e/support/accounts.ts';
import { openPerson } from '../apps/web/e2e/support/browser.ts';
import { sendFromOutside } from '../apps/web/e2e/support/outside.ts';
import { awaitMail, rowOf } from '../apps/web/e2e/support/people.ts';
import { percentile } from './big-mailbox/measure.mjs';
import { openChromium } from './shared/chromium.mjs';

const SUBJECTS = ['Alder', 'Beech', 'Chestnut'];

const line = (bench, times, peer) => ({
  bench: `input-latency ${bench}`,
  ours: Number(percentile(times, 0.5).toFixed(1)),
  peer,
  unit: 'ms from key press to paint',
  peer_is: 'the limit',
  goal: '<= 1',
});

/**
 * Presses a key and returns how long it took until an element of `selector` with this text was
 * painted.
 */
async function msUntil(page, key, selector, words = '') {
  await page.evaluate(
    wanted => {
      delete globalThis.paintedMs;
      const isThere = () =>
        [...document.querySelectorAll(wanted.selector)].some(one => one.textContent.includes(wanted.words));
      const watch = timeStamp => {
        if (!isThere()) requestAnimationFrame(() => watch(timeStamp));
        // One task after the frame: it is painted by then.
        else setTimeout(() => Object.assign(globalThis, { paintedMs: performance.now() - timeStamp }));
      };
      const start = ({ timeStamp }) => requestAnimationFrame(() => watch(timeStamp));
      addEventListener('keydown', start, { once: true, capture: true });
    },
    { selector, words },
  );
  await page.keyboard.press(key);
  const ms = await page.waitForFunction(() => globalThis.paintedMs);
  return ms.jsonValue();
}

const PALETTE = '[role="dialog"]:focus-within';
const MESSAGE = 'article section[data-message]';

export async function run([rounds = '9']) {
  const product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0' });
  await product.start();
  const browser = await openChromium();
  try {
    const alice = await openPerson(browser);
    const { page } = alice;
    await join(alice, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      ...SUBJECTS.map(subject => ({
        to: 'alice@keyfold.test',
        subject,
        text: `About ${subject}.`,
        from: { name: `Gardener ${subject}`, address: `${subject.toLowerCase()}@woods.test` },
      })),
    );
    for (const subject of SUBJECTS) await awaitMail(page, subject);
    const palette = [];
    const ahead = [];
    const again = [];
    for (let round = 0; round <= Number(rounds); round++) {
      await page.reload();
      await rowOf(page, 'Chestnut').waitFor();
      await page.waitForLoadState('networkidle');
      await page.keyboard.press('Control+k');
      await page.locator(PALETTE).waitFor();
      await page.keyboard.press('Escape');
      await page.locator(PALETTE).waitFor({ state: 'detached' });
      palette.push(await msUntil(page, 'Control+k', PALETTE));
      await page.keyboard.press('Escape');
      await page.locator(PALETTE).waitFor({ state: 'detached' });
      await rowOf(page, 'Chestnut').getByRole('link').first().click();
      await page.locator(MESSAGE).getByText('About Chestnut.').waitFor();
      await page.waitForLoadState('networkidle');
      ahead.push(await msUntil(page, 'j', MESSAGE, 'About Beech.'));
      again.push(await msUntil(page, 'k', MESSAGE, 'About Chestnut.'));
      await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    }
    // The first round warms the browser's caches of compiled code.
    return [
      line('palette', palette.slice(1), 50),
      line('prefetched message', ahead.slice(1), 100),
      line('message opened before', again.slice(1), 100),
    ];
  } finally {
    await browser.close();
    await product.remove();
  }
}
