/**
 * login: from the Enter key after a password until the list of a mailbox of 2,000 messages is on
 * the screen, in a browser profile that has only the form's page of the client. The peer is the
 * unavoidable minimum: one Argon2id derivation and one request for the list, on the same machine.
 * Arguments: messages (default 2000), rounds (default 5).
 */
import { createProduct } from '@keyfold/testing/product';
import { openBrowser } from '../apps/web/e2e/harness/open-browser.ts';
import { knownBrowser, openPerson } from '../apps/web/e2e/support/browser.ts';
import { password, signIn } from '../apps/web/e2e/support/people.ts';
import { fillMailbox, register } from './big-mailbox/fill.mjs';
import { atMost } from './shared/goals.mjs';
import { measurePage } from './shared/measure.mjs';

const EMAIL = 'login@keyfold.test';
const GOAL_MS = 1500;
const LIST = '/user/query?view=summary&count=50&threading=true&deleted=false&archived=false&sent=false';

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function signInOnce(browser, baseUrl, known) {
  const { context, page } = await openPerson(browser);
  try {
    await context.addCookies(known);
    await page.goto(`${baseUrl}/app/signin`);
    await page.getByRole('textbox', { name: 'Address' }).fill(EMAIL);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    // Typing a password gives the form this much time.
    await page.waitForTimeout(1000);
    return await page.evaluate(
      () =>
        new Promise(resolve => {
          let startedAt = 0;
          new MutationObserver((_, observer) => {
            if (document.querySelector('#list li a') === null) return;
            observer.disconnect();
            requestAnimationFrame(() => resolve(performance.now() - startedAt));
          }).observe(document.body, { childList: true, subtree: true });
          const form = document.querySelector('input[type=password]')?.closest('form');
          if (!form) throw new Error('the form is missing');
          startedAt = performance.now();
          form.requestSubmit();
        }),
    );
  } finally {
    await context.close();
  }
}

const listOnce = page =>
  page.evaluate(async path => {
    const startedAt = performance.now();
    await (await fetch(path)).json();
    return performance.now() - startedAt;
  }, LIST);

export async function run([mails = '2000', rounds = '5']) {
  const product = await createProduct({ KEYFOLD_CAPTCHA_COST: '0' });
  await product.start();
  const browser = await openBrowser({ isWhole: true });
  try {
    await register(product.baseUrl, 'Login', EMAIL, password);
    await fillMailbox(product, EMAIL, Number(mails));
    const first = await openPerson(browser);
    await signIn(first.page, product.baseUrl, EMAIL);
    const known = await knownBrowser(first.context);
    /** @type {Record<'ours' | 'lists', number[]>} */
    const { ours, lists } = { ours: [], lists: [] };
    for (let round = 0; round < Number(rounds); round++) {
      ours.push(await signInOnce(browser, product.baseUrl, known));
      lists.push(await listOnce(first.page));
    }
    await first.context.close();
    const derivations = await measurePage('login', {}, { password, email: EMAIL, rounds: Number(rounds) });
    const line = (bench, peer, peer_is, limit) =>
      atMost(limit, {
        bench,
        ours: Math.round(median(ours)),
        peer: Math.round(peer),
        unit: `ms from the password to the list, ${mails} messages`,
        peer_is,
        goal: `at most ${limit}`,
      });
    return [
      line('login', GOAL_MS, 'the goal', 1),
      line(
        'login compared with its necessary work',
        median(derivations) + median(lists),
        'one Argon2id and one list request',
        1.3,
      ),
    ];
  } finally {
    await browser.close();
    await product.remove();
  }
}
