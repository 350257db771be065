// A mailbox with sixty external messages, and a user who reads them one after the other with the
// keyboard.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { knownBrowser, openPerson } from './browser.ts';
import { messageOf } from './newsletters.ts';
import { sendFromOutside } from './outside.ts';
import { signUp } from './people.ts';

const MESSAGE_COUNT = 60;
/** Number of messages that are read. */
export const MESSAGES_READ = 50;
export const reader = 'reader@keyfold.test';

/**
 * Creates the account and delivers the messages. Returns the cookies that make another profile a
 * known browser.
 */
export async function fillMailbox(product: Product, browser: Browser) {
  const { context, page } = await openPerson(browser);
  await signUp(page, product.baseUrl, 'Rita Reader', 'reader');
  const known = await knownBrowser(context);
  await context.close();
  const messages = Array.from({ length: MESSAGE_COUNT }, (_, number) => messageOf(number, reader));
  await sendFromOutside(product.smtpPort, ...messages);
  return known;
}

/** Reloads the list; resolves when its rows are there. */
export async function openList(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/app/inbox/recieved/0`);
  await page.getByRole('list', { name: 'Messages' }).getByRole('listitem').first().waitFor();
}

/** Opens the messages from the newest on, each after the previous one is painted. */
export async function readMessages(page: Page): Promise<void> {
  for (let number = MESSAGE_COUNT - 1; number >= MESSAGE_COUNT - MESSAGES_READ; number -= 1) {
    await page.keyboard.press('j');
    await page.waitForFunction(subject => {
      const message = document.querySelector('article');
      if (message?.getAttribute('aria-label') !== subject) return false;
      const frame = message.querySelector('iframe');
      const shown = frame === null ? message : frame.contentDocument?.body;
      return (shown?.textContent?.length ?? 0) > 1_000;
    }, `Letter number ${number}`);
  }
}
