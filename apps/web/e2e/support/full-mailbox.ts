// A mailbox with sixty letters from outside, and somebody who reads them one after the other with the keyboard.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { knownBrowser, openPerson } from './browser.ts';
import { letterOf } from './newsletters.ts';
import { sendFromOutside } from './outside.ts';
import { signUp } from './people.ts';

const LETTER_COUNT = 60;
/** How many of them are read. */
export const LETTERS_READ = 50;
export const reader = 'reader@keyfold.test';

/** Makes the account and delivers the letters. Returns what makes another profile a known browser. */
export async function fillMailbox(product: Product, browser: Browser) {
  const { context, page } = await openPerson(browser);
  await signUp(page, product.baseUrl, 'Rita Reader', 'reader');
  const known = await knownBrowser(context);
  await context.close();
  const letters = Array.from({ length: LETTER_COUNT }, (_, number) => letterOf(number, reader));
  await sendFromOutside(product.smtpPort, ...letters);
  return known;
}

/** Loads the list anew; resolves when its rows are there. */
export async function openList(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/app/inbox/recieved/0`);
  await page.getByRole('list', { name: 'Messages' }).getByRole('listitem').first().waitFor();
}

/** Opens the letters from the newest on, each once the one before it is painted. */
export async function readLetters(page: Page): Promise<void> {
  for (let number = LETTER_COUNT - 1; number >= LETTER_COUNT - LETTERS_READ; number -= 1) {
    await page.keyboard.press('j');
    await page.waitForFunction(subject => {
      const letter = document.querySelector('article');
      if (letter?.getAttribute('aria-label') !== subject) return false;
      const frame = letter.querySelector('iframe');
      const shown = frame === null ? letter : frame.contentDocument?.body;
      return (shown?.textContent?.length ?? 0) > 1_000;
    }, `Letter number ${number}`);
  }
}
