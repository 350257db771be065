// The shell in Chromium: the copy of the web client as the Android app contains it, at the app's
// own origin, with Capacitor's bridge, against a real server on another origin. Covers choosing the
// server, signing up, mail, restarting and signing out.
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProduct } from '@keyfold/testing/product';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../../../../tools/browser.mjs';
import { fitCopy } from '../../tools/after-copy.mjs';
import { mobileRoot } from '../project-files.mjs';
import { putNativeEnd } from './native-end.mjs';

const chromiumPath = findBrowser();
const origin = 'https://localhost';
const inbox = '**/app/inbox/recieved/0';
const agent =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9; wv) AppleWebKit/537.36 Chrome/150.0 Mobile KeyfoldApp/0.1.0';

describe.skipIf(chromiumPath === null)('the shell (needs Chromium)', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'keyfold-app-'));
  let product;
  let browser;
  let page;
  let stored;
  /** Cookies and origins of the requests that reached the server. */
  const asked = [];
  const errors = [];

  /**
   * Serves the app's files like Capacitor's local server: paths without an extension get the start
   * page.
   */
  const serve = route => {
    const { pathname } = new URL(route.request().url());
    const file = path.join(copy, pathname);
    const isFile = existsSync(file) && statSync(file).isFile();
    if (!isFile && path.extname(pathname) !== '') return route.fulfill({ status: 404 });
    return route.fulfill({ path: isFile ? file : path.join(copy, 'index.html') });
  };

  const open = async address => {
    await page.goto(`${origin}${address}`);
  };
  const chooseServer = async text => {
    await page.getByRole('textbox', { name: 'Server address' }).fill(text);
    await page.getByRole('button', { name: 'Continue' }).click();
  };

  beforeAll(async () => {
    cpSync(path.resolve(mobileRoot, '../web/dist'), copy, { recursive: true });
    fitCopy(copy, 'android');
    product = await createProduct();
    [, browser] = await Promise.all([
      product.start(),
      chromium.launch({
        executablePath: chromiumPath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-features=LocalNetworkAccessChecks'],
      }),
    ]);
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      userAgent: agent,
      serviceWorkers: 'block',
      locale: 'en-US',
    });
    await context.route(`${origin}/**`, serve);
    stored = await putNativeEnd(context);
    page = await context.newPage();
    page.on('request', request => {
      if (!request.url().startsWith(product.baseUrl)) return;
      const { pathname } = new URL(request.url());
      // The headers that are actually sent, including cookies.
      request.allHeaders().then(
        ({ cookie }) => asked.push({ path: pathname, cookie }),
        () => undefined,
      );
    });
    page.on('console', message => {
      if (/Content Security Policy|CORS|TrustedScript/.test(message.text())) errors.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    rmSync(copy, { recursive: true, force: true });
  });

  test('the first start asks for a server and rejects one that does not respond', async () => {
    await open('/app/signup');
    await page.getByRole('heading', { name: 'Your server' }).waitFor();
    await chooseServer('not an address');
    await page.getByText('This isn’t a server address. Enter one such as mail.example.org.').waitFor();
    await chooseServer('http://localhost:9');
    await page.getByText('No Keyfold server found at http://localhost:9').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('server_address'))).toBeNull();
  });

  test('the user creates an account, and the tokens are kept in the secure storage', async () => {
    await chooseServer(product.baseUrl);
    await page.getByRole('textbox', { name: 'Name' }).fill('Alice Almeida');
    await page.getByRole('textbox', { name: 'Address' }).fill('alice');
    await page.getByRole('textbox', { name: 'Password' }).fill('Correct-Horse-9');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.waitForURL(inbox);
    await expect.poll(() => stored.get('keyfold_auth_token')).toMatch(/^[\w-]{20,}$/);
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain(stored.get('keyfold_auth_token'));
    await expect.poll(() => asked.some(one => one.path === '/user/query')).toBe(true);
  });

  test('an open event stream reports new messages at once, and the list of sessions names the app', async () => {
    await expect.poll(() => asked.some(one => one.path === '/user/events')).toBe(true);
    await open('/app/security/sessions');
    await page
      .getByText(/Keyfold app/)
      .first()
      .waitFor();
  });

  test('a later start continues the session without asking for the server', async () => {
    await open('/app/inbox');
    await page.waitForURL(inbox);
    await page.getByRole('heading', { name: 'Inbox' }).or(page.getByText('Inbox')).first().waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Your server' }).count()).toBe(0);
  });

  test('an ended session clears the secure storage, and the next start asks for the server again', async () => {
    await page.evaluate(() => fetch('/auth/logout'));
    await expect
      .poll(() => [stored.has('keyfold_auth_token'), stored.has('keyfold_device_token')])
      .toEqual([false, false]);
    await open('/app/inbox');
    await page.getByRole('heading', { name: 'Your server' }).waitFor();
    const field = page.getByRole('textbox', { name: 'Server address' });
    await expect.poll(() => field.inputValue()).toBe(product.baseUrl);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/app/signin');
    // Users who want another server than the one that answers need not reinstall the app.
    await page.getByText(`Server: ${new URL(product.baseUrl).host}`).waitFor();
    const fresh = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Change server' }).click();
    await fresh;
    await page.getByRole('heading', { name: 'Your server' }).waitFor();
  });

  test('no request carries a cookie, and the page does not violate its policy', () => {
    for (const { path: where, cookie } of asked) expect(cookie, where).toBeUndefined();
    expect(errors).toEqual([]);
  });
});
