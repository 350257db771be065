// User actions with a second factor, for tests: enable an authenticator app, read and store the
// recovery codes, plug in a security key, which Chromium emulates.
import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openAuthenticator } from './totp.ts';

export const factorPath = '/app/security/two-factor';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

export async function readCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  return list.getByRole('listitem').allInnerTexts();
}

export async function keepCodes(page: Page): Promise<void> {
  expect(await button(page, 'Done').isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'I’ve saved my recovery codes' }).click();
  await button(page, 'Done').click();
}

/** Sets up an authenticator app on the two-factor page; returns the app and the recovery codes. */
export async function turnAppOn(
  page: Page,
  baseUrl: string,
): Promise<{ readonly app: ReturnType<typeof openAuthenticator>; readonly codes: readonly string[] }> {
  await page.goto(baseUrl + factorPath);
  await button(page, 'Set up').click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  const app = openAuthenticator(await dialog.locator('code').innerText());
  await button(page, 'Continue').click();
  await page
    .getByRole('textbox', { name: 'Code from your authenticator app', exact: true })
    .fill(await app.next());
  const codes = await readCodes(page);
  await keepCodes(page);
  await page.getByText('Two-factor authentication is on').waitFor();
  return { app, codes };
}

/** Plugs in a security key that is always touched; returns its id in the developer tools. */
export async function plugKeyIn(devtools: CDPSession): Promise<string> {
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: false,
      hasUserVerification: false,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}
