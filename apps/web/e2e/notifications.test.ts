// Browser notifications (docs/spec-map.md 3.32, 3.44; docs/interface.md#settings): enabled by a
// click, shown for mail that arrives while the page is not visible, with the sender's name and
// never with text of the message, according to the settings and not during quiet hours.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail } from './support/people.ts';
import { startStory } from './support/story.ts';

const to = 'alice@keyfold.test';

type Shown = { title: string; body: string; tag: string };
type Stage = { shown: Shown[]; hides: boolean; press: ((at: number) => void) | null };

describe.skipIf(chromiumPath === null)('notifications (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;

  beforeAll(async () => {
    // The headless shell does not deliver push messages.
    ({ product, browser, person, page } = await startStory({}, { isWhole: true }));
    // A headless screen shows no notifications, so the page's notifications are recorded and its
    // visibility is simulated.
    await person.context.addInitScript(() => {
      const stage: Stage = { shown: [], hides: false, press: null };
      const made: EventTarget[] = [];
      class Written extends EventTarget {
        static permission = sessionStorage.getItem('allowed') ?? 'default';
        static async requestPermission() {
          Written.permission = 'granted';
          sessionStorage.setItem('allowed', 'granted');
          return Written.permission;
        }
        constructor(title: string, { body, tag }: { body: string; tag: string }) {
          super();
          stage.shown.push({ title, body, tag });
          made.push(this);
        }
        close() {}
      }
      stage.press = at => made[at]?.dispatchEvent(new Event('click'));
      Object.assign(window, { Notification: Written, stage });
      Object.defineProperty(Document.prototype, 'visibilityState', {
        get: () => (stage.hides ? 'hidden' : 'visible'),
      });
    });
    await page.goto(`${product.baseUrl}/app/config/notifications`);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  const shown = () =>
    page.evaluate(() =>
      (window as unknown as { stage: Stage }).stage.shown.map(one => `${one.title}: ${one.body}`),
    );
  const hide = (hides: boolean) =>
    page.evaluate(isHidden => {
      (window as unknown as { stage: Stage }).stage.hides = isHidden;
      document.dispatchEvent(new Event('visibilitychange'));
    }, hides);
  const option = (name: string) => page.getByRole('switch', { name });
  const arrive = (subject: string, name: string, reader = to) =>
    sendFromOutside(product.smtpPort, {
      to: reader,
      subject,
      text: 'Secret words.',
      from: { name, address: `${name.toLowerCase()}@kitchen.test` },
    });

  test('notification options are disabled until the browser allows them, and a test notification is shown', async () => {
    await expect.poll(() => option('New mail').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Allow notifications' }).click();
    for (const name of ['New mail', 'Mentions', 'Security']) {
      await expect.poll(() => option(name).isDisabled()).toBe(false);
      await expect.poll(() => option(name).isChecked()).toBe(true);
    }
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect.poll(shown).toEqual(['Keyfold: This is what a notification looks like.']);
    expect(await findDefects(page)).toEqual([]);
  });

  test('the settings search finds the page by words on it', async () => {
    await page.goto(`${product.baseUrl}/app/config/account`);
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    await search.fill('nothing like it');
    await page.getByText('No matching settings').waitFor();
    await search.fill('quiet');
    const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await expect.poll(() => pages.allTextContents()).toEqual(['Notifications']);
    await search.press('Enter');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    expect(await findDefects(page)).toEqual([]);
  });

  test('mail that arrives while the page is hidden shows only its sender, and a click opens it', async () => {
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    await hide(true);
    await arrive('A canary subject', 'Zoe');
    await expect.poll(shown).toEqual(['Zoe: New message']);
    await hide(false);
    await page.evaluate(() => (window as unknown as { stage: Stage }).stage.press?.(0));
    await page.getByText('Secret words.').last().waitFor();
  });

  test('mail that arrives while the page is visible triggers no notification', async () => {
    await page.bringToFront();
    await arrive('Seen at once', 'Yan');
    await page.getByText('Seen at once').first().waitFor();
    await expect.poll(() => shown()).toHaveLength(1);
  });

  test('quiet hours suppress notifications, and the settings survive a reload', async () => {
    await page.goto(`${product.baseUrl}/app/config/notifications`);
    await option('Quiet hours').click();
    await page.getByLabel('Quiet from').fill('00:00');
    await page.getByLabel('Quiet until').fill('23:59');
    await option('Mentions').click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findDefects(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => page.getByLabel('Quiet until').inputValue()).toBe('23:59');
    await expect.poll(() => option('Mentions').isChecked()).toBe(false);
    await hide(true);
    const asked = page.waitForResponse(response => response.url().includes('/user/check_new'));
    await arrive('In the night', 'Xaver');
    await asked;
    await expect.poll(() => shown()).toEqual([]);
    await hide(false);
    expect(person.problems).toEqual([]);
  });

  // The browser's own push service is unreachable from here. The subscription is fake but has real
  // keys, and the debugger delivers messages to the service worker the way the browser does.
  test('push notifications appear while the page is closed and disappear once the message is read', async () => {
    const bea = await openPerson(browser, { serviceWorkers: 'allow', permissions: ['notifications'] });
    await bea.context.addInitScript(() => {
      const text = (bytes: ArrayBuffer) =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replace(/=+$/, '');
      const forget = () => localStorage.removeItem('test-subscription');
      const wrap = (kept: string | null) =>
        kept === null
          ? null
          : {
              toJSON: () => JSON.parse(kept),
              options: { applicationServerKey: null },
              unsubscribe: async () => forget(),
            };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => wrap(localStorage.getItem('test-subscription')),
        subscribe: async () => {
          const kind = { name: 'ECDH', namedCurve: 'P-256' };
          const { publicKey } = await crypto.subtle.generateKey(kind, true, ['deriveBits']);
          const point = await crypto.subtle.exportKey('raw', publicKey);
          const keys = { p256dh: text(point), auth: text(new Uint8Array(16).buffer) };
          const kept = JSON.stringify({ endpoint: 'https://push.keyfold-test.example/p/1', keys });
          localStorage.setItem('test-subscription', kept);
          return wrap(kept);
        },
      });
    });
    const own = bea.page;
    await join(bea, product.baseUrl, 'Bea Berg', 'bea');
    await own.goto(`${product.baseUrl}/app/config/notifications`);
    await own.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const closed = own.getByRole('switch', { name: 'Notify while Keyfold is closed' });
    await closed.click();
    await expect.poll(() => closed.isChecked()).toBe(true);
    const devices = own.getByRole('list', { name: 'Registered devices' });
    await expect.poll(() => devices.getByText('This device').count()).toBe(1);
    expect(await findDefects(own)).toEqual([]);
    await own.getByRole('button', { name: 'Send test' }).click();
    await own.getByText('Test notification sent').waitFor();

    const debug = await bea.context.newCDPSession(own);
    const registered = Promise.withResolvers<string>();
    debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations;
      if (one !== undefined) registered.resolve(one.registrationId);
    });
    await debug.send('ServiceWorker.enable');
    const registrationId = await registered.promise;
    const push = (message: object) =>
      debug.send('ServiceWorker.deliverPushMessage', {
        origin: new URL(product.baseUrl).origin,
        registrationId,
        data: JSON.stringify(message),
      });
    const [worker] = bea.context.serviceWorkers();
    type WorkerScope = { readonly registration: ServiceWorkerRegistration };
    const told = () =>
      worker?.evaluate(async () => {
        const { registration } = globalThis as unknown as WorkerScope;
        return (await registration.getNotifications()).map(one => `${one.title}: ${one.body}`);
      });
    /**
     * Pushes a message. Chromium mistakes a notification that is queried while it is being shown
     * for one that was closed, and drops it; in that case the message is pushed again.
     */
    const tell = async (message: object, words: string): Promise<void> => {
      const isTold = async (timeout: number): Promise<unknown> => {
        await push(message);
        return expect.poll(told, { timeout }).toEqual([words]);
      };
      await isTold(10_000).catch(() => isTold(30_000));
    };
    type Windows = { matchAll: (options: object) => Promise<{ postMessage: Worker['postMessage'] }[]> };
    const wordsOf = (mail: string) =>
      worker?.evaluate(async pushed => {
        const { clients } = globalThis as unknown as { clients: Windows };
        const [open] = await clients.matchAll({ type: 'window', includeUncontrolled: true });
        const { port1, port2 } = new MessageChannel();
        return new Promise(resolve => {
          port1.onmessage = ({ data }) => resolve(data);
          open?.postMessage({ pushed }, [port2]);
        });
      }, mail);

    await own.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await own.getByRole('button', { name: 'Refresh' }).waitFor();
    await arrive('Another canary', 'Wim', 'bea@keyfold.test');
    await own.getByText('Another canary').first().waitFor();
    const id = await own.evaluate(async () => {
      const answer = await fetch('/user/query?view=summary&read=false&count=10&sent=false');
      const { data } = (await answer.json()) as { data: { id: string; from: string }[] };
      return data.find(({ from }) => from.includes('wim@'))?.id ?? '';
    });
    // An open page has the keys and supplies the text; a visible page shows no notification.
    expect(await wordsOf(id)).toEqual({ title: 'Wim', body: 'New message' });
    await own.bringToFront();
    await worker?.evaluate(() => {
      const { clients } = globalThis as unknown as { clients: Windows };
      const matchAll = clients.matchAll.bind(clients);
      clients.matchAll = async options => {
        const pages = await matchAll(options);
        Object.assign(globalThis, { hasLooked: true });
        return pages;
      };
    });
    await push({ type: 'mail', id, badge: 2 });
    // Once the worker has checked for open pages, it has decided.
    await expect.poll(() => worker?.evaluate(() => 'hasLooked' in globalThis)).toBe(true);
    await own.goto('about:blank');
    await expect.poll(told).toEqual([]);
    await tell({ type: 'mail', id, badge: 2 }, 'Keyfold: New message');
    await tell({ type: 'summary', badge: 12 }, 'Keyfold: Unread: 12');
    await tell({ type: 'mail', id, badge: 1 }, 'Keyfold: New message');
    await own.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await openMail(own, 'Another canary');
    await expect.poll(told).toEqual([]);

    await own.goto(`${product.baseUrl}/app/config/notifications`);
    await closed.click();
    await expect.poll(() => closed.isChecked()).toBe(false);
    await expect.poll(() => devices.count()).toBe(0);

    // Signing out removes both the subscription and the notifications already shown.
    await closed.click();
    await expect.poll(() => closed.isChecked()).toBe(true);
    await tell({ type: 'test', badge: 1 }, 'Keyfold: This is what a notification looks like.');
    await own.getByRole('button', { name: /^Account/ }).click();
    const fresh = own.waitForEvent('load');
    await own.getByRole('menuitem', { name: 'Sign out' }).click();
    await fresh;
    const left = () => own.evaluate(() => localStorage.getItem('test-subscription'));
    await expect.poll(left).toBeNull();
    await expect.poll(told).toEqual([]);
    expect(bea.problems).toEqual([]);
    await bea.context.close();
  });
});
