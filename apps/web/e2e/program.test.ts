// Program integrity (ADR 44): scripts run only as the start page binds them, and a device that has
// visited before keeps the program signed by the server's key when the network or the server
// delivers a different one.
import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import path from 'node:path';
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { signIn, signOut, signUp } from './support/people.ts';
import { startProduct } from './support/story.ts';
import { startTurningProxy, type TurningProxy } from './support/turning-proxy.ts';

const isPage = (path: string): boolean => path === '/' || path.startsWith('/app') || path === '/index.html';
const signedPath = '/.well-known/keyfold/client.json';
const refused = /The server sent changed code that isn’t signed with the key this device trusts/;
/**
 * The first action of a hostile page. The policy cannot prevent it when the policy is changed too.
 */
const marker = 'data-evil';
const evil = (html: string): string => html.replace('<html ', `<html ${marker} `);

describe.skipIf(chromiumPath === null)('program integrity (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let proxy: TurningProxy;
  let person: Person;
  let page: Page;

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    proxy = await startTurningProxy(product.baseUrl);
    person = await openPerson(browser, { serviceWorkers: 'allow' });
    ({ page } = person);
    await signUp(page, proxy.baseUrl, 'Petra', 'petra');
    await signOut(page);
    await signIn(page, proxy.baseUrl, 'petra@keyfold.test', { keep: true });
    await page.waitForFunction(
      async () => {
        await navigator.serviceWorker.ready;
        return navigator.serviceWorker.controller !== null && (await caches.has('code-pin'));
      },
      undefined,
      { timeout: 60_000 },
    );
  });

  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    await product?.remove();
  });

  const openInbox = () => page.goto(`${proxy.baseUrl}/app/inbox/recieved/0`);
  const isEvil = () => page.locator(`html[${marker}]`).count();
  const bar = () => page.getByRole('alert').filter({ hasText: refused });
  const seen = () => page.getByRole('button', { name: 'Refresh' }).waitFor();

  test('the settings show the running version and the key that signed it', async () => {
    await page.goto(`${proxy.baseUrl}/app/config/device`);
    await page.getByText(/^Version \d/).waitFor();
    await page
      .getByText(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/)
      .nth(1)
      .waitFor();
    const { key } = (await (await fetch(product.baseUrl + signedPath)).json()) as { key: string };
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(key, 'base64'));
    const groups = Buffer.from(digest).toString('hex').slice(0, 32).match(/.{4}/g)?.join(' ') ?? '';
    await page.getByText(groups).waitFor();
  });

  test('the verify tool compares the served files with a local build', async () => {
    const tool = path.resolve(import.meta.dirname, '../../../tools/verify.mjs');
    const verify = (origin: string) =>
      new Promise<string>(resolve => {
        execFile(process.execPath, [tool, origin], (error, stdout) =>
          resolve(`${error?.code ?? 0} ${stdout}`),
        );
      });
    expect(await verify(product.baseUrl)).toMatch(/^0 local: .*all identical to the build of this checkout/s);
    proxy.turn((at, text) => (at.startsWith('/bundle.key-worker.') ? `${text}/**/` : null));
    expect(await verify(proxy.baseUrl)).toMatch(
      /^1 FAIL {2}\/bundle\.key-worker\.\S+ \(.*does not serve the build of this checkout/s,
    );
    proxy.turn(null);
  });

  test('a changed start page is blocked and reported, and the previous one keeps running', async () => {
    proxy.turn((path, text) => (isPage(path) ? evil(text) : null));
    await openInbox();
    await seen();
    await expect.poll(isEvil).toBe(0);
    await expect.poll(() => bar().count()).toBe(1);
    await bar().getByRole('link', { name: 'Details' }).click();
    await page.getByText('It doesn’t match what this server signed', { exact: false }).waitFor();
  });

  test('changed code does not run at other paths, through a form, or beside the correct page', async () => {
    const hostile = `<html ${marker}><script>document.title = 'ran'</script><p>Hello</p></html>`;
    const headers = { 'content-type': 'text/html' };
    proxy.turn(at => (isPage(at) ? null : { text: hostile, headers }));
    for (const at of ['/docs', '/user/nothing']) {
      await page.goto(proxy.baseUrl + at);
      await page.getByText('Hello').waitFor();
      expect(await page.title()).not.toBe('ran');
    }
    proxy.turn((at, text) => (isPage(at) ? { text, headers: { ...headers, refresh: '0;url=/docs' } } : null));
    await openInbox();
    await seen();
    expect(new URL(page.url()).pathname).toBe('/app/inbox/recieved/0');
    const isFrame = (at: string) => at === '/x-message-frame';
    proxy.turn(at => (isPage(at) || isFrame(at) ? { text: hostile, headers } : null));
    await page.goto(`${proxy.baseUrl}/x-message-frame`);
    expect(await isEvil()).toBe(0);
    // A page of another origin may submit a form here.
    await page.goto(
      `data:text/html,<form method="post" action="${proxy.baseUrl}/"><button>Go</button></form>`,
    );
    await page.getByRole('button', { name: 'Go' }).click();
    await seen();
    expect(await isEvil()).toBe(0);
    expect(await page.title()).not.toBe('ran');
  });

  test('the warning disappears when the server delivers the correct program again', async () => {
    proxy.turn(null);
    await openInbox();
    await seen();
    await expect.poll(() => bar().count()).toBe(0);
    await page.goto(`${proxy.baseUrl}/app/config/device`);
    await page.getByText(/^Version \d/).waitFor();
    await expect.poll(() => page.getByText(/A changed version of Keyfold was blocked/).count()).toBe(0);
  });

  test('a program signed by another key runs only after the user trusts that key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
    const html = await (await fetch(`${product.baseUrl}/app`)).text();
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(evil(html)))).toString(
      'hex',
    );
    proxy.turn((path, text) => {
      if (isPage(path)) return evil(text);
      if (path !== signedPath) return null;
      const told = (JSON.parse(text) as { list: string }).list;
      const list = told
        .replace(/^[0-9a-f]{64} {2}index\.html$/m, `${digest}  index.html`)
        .replace(/^# Keyfold \S+/, '# Keyfold 9.9.9');
      const signature = sign(null, Buffer.from(`keyfold web client\n${list}`), privateKey).toString('base64');
      return JSON.stringify({ list, key, signature });
    });
    await openInbox();
    await seen();
    await expect.poll(isEvil).toBe(0);
    await expect.poll(() => bar().count()).toBe(1);
    await page.goto(`${proxy.baseUrl}/app/config/device`);
    await page.getByRole('button', { name: 'Trust the new key' }).click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await expect.poll(() => page.getByText(/A changed version of Keyfold was blocked/).count()).toBe(0);
    await openInbox();
    await seen();
    await expect.poll(isEvil).toBe(1);
    await page
      .getByText('Keyfold was updated. The update is signed with the key this device trusts.')
      .waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.poll(() => page.getByText('Keyfold was updated', { exact: false }).count()).toBe(0);
    const provoked = /Executing inline script violates|status of 40[14]/;
    expect(person.problems.filter(problem => !provoked.test(problem))).toEqual([]);
  });

  test('without a service worker, a script that fails the page’s integrity check does not run', async () => {
    const other = await openPerson(browser);
    try {
      proxy.turn((path, text) => (path === '/theme-start.js' ? `window.isChanged = 1;${text}` : null));
      await other.page.goto(`${proxy.baseUrl}/app/signin`);
      await other.page.getByRole('textbox', { name: 'Address' }).waitFor();
      await expect.poll(() => other.page.evaluate(() => 'isChanged' in window)).toBe(false);
      proxy.turn((path, text) =>
        path.startsWith('/bundle.SignupPage.') ? `window.isChanged = 1;${text}` : null,
      );
      await other.page.goto(`${proxy.baseUrl}/app/signup`);
      await other.page
        .getByRole('button', { name: /Reload|Try again/ })
        .first()
        .waitFor();
      await expect.poll(() => other.page.evaluate(() => 'isChanged' in window)).toBe(false);
      expect(other.problems.join()).toContain('integrity');
    } finally {
      await other.context.close();
    }
  });
});
