// User actions in the mail client, step by step, for readable tests: sign up, write, read.

import type { Page } from 'playwright-core';
import { pressUntil } from './retry-click.ts';

export const password = 'Correct-Horse-9';

/** Signs up through the form and ends in the inbox. */
export async function signUp(page: Page, baseUrl: string, name: string, username: string): Promise<void> {
  await page.goto(`${baseUrl}/app/signup`);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Address' }).fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await leaveKit(page);
}

/** Skips the recovery kit at the end of sign-up; resolves in the inbox. */
export async function leaveKit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.waitForURL('**/app/inbox/recieved/0');
}

/** Signs in through the form, which is not shown to a user who is already signed in. */
export async function signIn(
  page: Page,
  baseUrl: string,
  email: string,
  options: { readonly keep?: boolean } = {},
): Promise<void> {
  await page.goto(`${baseUrl}/app/signin`);
  await page.getByRole('textbox', { name: 'Address' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  if (options.keep) await page.getByRole('checkbox', { name: /Keep me signed in/ }).click();
  const press = () => page.getByRole('button', { name: 'Sign in' }).click();
  await pressUntil(page, press, () => page.waitForURL('**/app/inbox/recieved/0'));
}

/** Signs out through the menu; resolves when the page has reloaded. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  const fresh = page.waitForEvent('load');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await fresh;
}

/**
 * Opens a composer and enters the recipient; resolves when the chip shows how the message will be
 * delivered.
 */
export async function startDraft(page: Page, to: string, fate: 'sealed' | 'plain'): Promise<void> {
  await page.getByRole('button', { name: 'Compose' }).first().click();
  await addRecipient(page, to, fate);
}

export async function addRecipient(page: Page, to: string, fate: 'sealed' | 'plain'): Promise<void> {
  const field = page
    .getByRole('textbox', { name: 'To: add recipient' })
    .or(page.getByRole('combobox', { name: 'To: add recipient' }));
  await field.fill(to);
  await field.press('Enter');
  const words = fate === 'sealed' ? /End-to-end encrypted/i : /Not end-to-end encrypted|not encrypted/i;
  await page
    .getByRole('list', { name: 'To', exact: true })
    .getByRole('listitem')
    .filter({ hasText: words })
    .first()
    .waitFor();
}

/** Returns the row of a message with this subject. */
export const rowOf = (page: Page, subject: string) => rowsOf(page, subject).first();

/** Returns the rows of all messages with this subject. */
export const rowsOf = (page: Page, subject: string) =>
  page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: subject });

/** Maximum wait for a sent message, and the pause between two checks. */
const ARRIVAL_TIMEOUT_MS = 30_000;
const LOOK_AGAIN_MS = 500;

/** Checks for new mail until the row is there. */
export async function awaitMail(page: Page, subject: string): Promise<void> {
  const row = rowOf(page, subject);
  for (const deadline = Date.now() + ARRIVAL_TIMEOUT_MS; Date.now() < deadline; ) {
    await page.getByRole('button', { name: 'Refresh' }).click();
    const isThere = await row.waitFor({ timeout: LOOK_AGAIN_MS }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
  }
  throw new Error(`No mail "${subject}" came`);
}

/** Checks for new mail until the row is there, then opens it. */
export async function openMail(page: Page, subject: string): Promise<void> {
  await awaitMail(page, subject);
  await rowOf(page, subject).getByRole('link').first().click();
}
