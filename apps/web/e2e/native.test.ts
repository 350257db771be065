// The web client in the phone app: biometric sign-in with all its texts, links that open the app,
// content shared from other apps, saved files, request timeouts, the Back button, and push
// notifications of each kind, from the server to the screen that they open. Capacitor's own bridge
// runs in the page; the phone behind it is simulated.
import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from '@keyfold/testing/product';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { type Firebase, startFirebase } from './support/firebase.ts';
import { inviteFromOutside } from './support/invitations.ts';
import { openShell, type Phone, pushToken } from './support/native-shell.ts';
import { olga, sendFromOutside } from './support/outside.ts';
import { awaitMail, openMail, password, rowOf, signUp } from './support/people.ts';
import { startProduct } from './support/story.ts';

const email = 'alice@keyfold.test';
const label = 'Fingerprint Authentication';

describe.skipIf(chromiumPath === null)('the phone app (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let desk: Person;
  let phone: Phone;
  let firebase: Firebase;
  /** The message that links and notifications open. */
  let mail = { id: '', subject: '' };
  const at = (path: string) => `${product.baseUrl}${path}`;
  const inbox = () => phone.page.waitForURL('**/app/inbox/recieved/0');
  const sensorButton = () => phone.page.getByRole('button', { name: label });
  const said = (text: string) => phone.page.getByRole('alert').filter({ hasText: text });
  const isOn = () => phone.page.evaluate(() => localStorage.getItem('biometric_enabled'));
  const kept = () => [...phone.secure.keys()].sort();

  /**
   * Saves what the phone and the page store about biometrics; returns a function that restores it
   * after biometrics were turned off.
   */
  const keep = async () => {
    const secure = new Map(phone.secure);
    const local = await phone.page.evaluate(() => ({ ...localStorage }) as Record<string, string>);
    return async () => {
      for (const [name, item] of secure) phone.secure.set(name, item);
      await phone.page.evaluate(items => {
        for (const [name, text] of Object.entries(items)) localStorage.setItem(name, text);
      }, local);
    };
  };

  /** Signs in with the password and stays signed in; resolves at the question about biometrics. */
  const enter = async () => {
    await phone.page.getByRole('textbox', { name: 'Address' }).fill(email);
    await phone.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await phone.page.getByRole('checkbox', { name: /Keep me signed in/ }).click();
    await phone.page.getByRole('button', { name: 'Sign in' }).click();
    await phone.page.getByRole('heading', { name: `Unlock Keyfold with ${label}?` }).waitFor();
  };
  const enterAndTurnOn = async () => {
    await enter();
    await phone.page.getByRole('button', { name: 'Turn on' }).click();
    await inbox();
    await expect.poll(isOn).toBe('true');
  };

  beforeAll(async () => {
    firebase = await startFirebase();
    ({ product, browser } = await startProduct(firebase.env));
    desk = await openPerson(browser);
    await signUp(desk.page, product.baseUrl, 'Alice Almeida', 'alice');
    phone = await openShell(browser);
    // A file of another app, as the app shell passes it to the page.
    await phone.page.route('**/_capacitor_content_/**', route => route.fulfill({ body: 'Bright' }));
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    firebase?.close();
  });

  test('the sign-in button does not move when parts of the form load late', async () => {
    const other = await openShell(browser);
    const { page, sensor } = other;
    // A chunk of the form that keeps loading as long as a user takes to press.
    await page.route(/\/bundle\.BiometricSignin\./, async route => {
      await pause(1_000);
      await route.continue();
    });
    await page.goto(at('/app/signin'));
    await page.getByRole('textbox', { name: 'Address' }).fill('nobody@keyfold.test');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    const signIn = page.getByRole('button', { name: 'Sign in' });
    await signIn.hover();
    await page.mouse.down();
    await page.getByRole('button', { name: 'Change server' }).waitFor();
    const asked = page.waitForRequest('**/auth/login');
    await page.mouse.up();
    await asked;

    // The sensor takes time to be detected and then prompts without end.
    await page.evaluate(address => {
      localStorage.setItem('biometric_enabled', 'true');
      const notice = { email: address, expiresAt: Date.now() + 60_000 };
      localStorage.setItem('biometric_credentials', JSON.stringify(notice));
    }, email);
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(sensor, { foundAfter: promise, waitsFor: new Promise(() => undefined) });
    await page.goto(at('/app/signin'));
    await signIn.waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const before = await signIn.boundingBox();
    resolve();
    await page.getByRole('button', { name: label }).waitFor();
    expect(await signIn.boundingBox()).toEqual(before);
    await other.context.close();
  });

  test('biometrics stay off until enabled, and links, shared content and Back lead to the right screens', async () => {
    const { page } = phone;
    // The connection breaks while the start chunk loads, and the client retries.
    await page.route(/\/bundle\.native-start\./, route => route.abort('connectionreset'), { times: 1 });
    await page.goto(at('/app/signin'));
    await enter();
    for (const problem of phone.problems.splice(0)) expect(problem).toContain('ERR_CONNECTION_RESET');
    expect(kept()).toEqual([]);
    await page.getByRole('button', { name: 'Not now' }).click();
    await inbox();
    expect(await isOn()).toBeNull();
    expect(phone.asked).not.toContain('BiometricAuthNative.internalAuthenticate');

    await inviteFromOutside(product.smtpPort, {
      to: email,
      from: 'Olga Outside <olga@outside.test>',
      subject: 'Invitation: Supper',
      method: 'REQUEST',
      event: [
        'UID:supper@calendar.test',
        'DTSTAMP:20260101T120000Z',
        'DTSTART:20301011T180000Z',
        'DTEND:20301011T200000Z',
        'SUMMARY:Supper',
        'ORGANIZER;CN=Olga Outside:mailto:olga@outside.test',
        `ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${email}`,
      ],
    });
    const subject = 'Opened by its address';
    await sendFromOutside(product.smtpPort, {
      to: email,
      from: olga,
      subject,
      text: 'See https://a.example/b',
    });
    await openMail(desk.page, subject);
    const id = new URL(desk.page.url()).searchParams.get('m') ?? '';
    mail = { id, subject };
    const opened = (path: string) => phone.tell('App', 'appUrlOpen', { url: path });

    // While the app is running.
    await opened(`keyfold://email/${id}`);
    await page.waitForURL(`**/app/inbox/all/0?m=${id}`);
    await page.getByRole('heading', { name: subject }).waitFor();
    await opened('keyfold://calendar/event/supper%40calendar.test');
    await page.getByRole('heading', { name: 'Invitation: Supper' }).waitFor();
    await opened(`keyfold://email/${id}`);
    await page.getByRole('heading', { name: subject }).waitFor();
    await opened('https://evil.example/email/5');
    await page.getByText('Link not opened: it leads to another server (evil.example)').waitFor();
    for (const url of ['javascript:alert(1)', 'http://127.0.0.1/app/security', 'file:///data/own'])
      await opened(url);
    expect(page.url()).toContain(id);
    // A link with a secret belongs in a browser; a link copied from a browser opens its message.
    const { host } = new URL(product.baseUrl);
    await opened(`https://${host}/app/reset#reset=secret`);
    await page.getByText('This link works only in a browser, not in the app').waitFor();
    expect(page.url()).toContain(id);
    await opened('keyfold://security');
    await page.waitForURL('**/app/security');
    await opened(`https://${host}/app/inbox/sent/0?m=${id}`);
    await page.waitForURL(`**/app/inbox/all/0?m=${id}`);
    await page.getByRole('heading', { name: subject }).waitFor();

    // The page that shows a link before it is followed opens no new window, because a phone has
    // none.
    await page.getByRole('link', { name: 'https://a.example/b' }).click();
    await page.getByRole('heading', { name: 'You are leaving Keyfold' }).waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('heading', { name: subject }).waitFor();
    expect(phone.context.pages()).toHaveLength(1);

    // Downloads do not work in a web view: the phone writes the file and shows where it is.
    // Printing is unavailable.
    const more = page.getByRole('button', { name: 'More', exact: true });
    const save = async () => {
      await more.first().click();
      await page.getByRole('menuitem', { name: 'Download .eml' }).click();
    };
    await save();
    await page.getByText(`Saved as ${subject}.eml in Documents/Keyfold`).waitFor();
    expect(String(phone.files.get(`DOCUMENTS/Keyfold/${subject}.eml`))).toContain(`To: ${email}`);
    phone.hasDocuments = false;
    await save();
    await expect.poll(() => phone.handedOver).toEqual([`file:///CACHE/handed-over/${subject}.eml`]);
    phone.hasDocuments = true;
    await more.first().click();
    await page.getByRole('menuitem', { name: 'Download .eml' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Print' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);

    // The client waits for a silent server as long as phones wait.
    await page.evaluate(() => {
      const { timeout } = AbortSignal;
      AbortSignal.timeout = milliseconds => timeout.call(AbortSignal, milliseconds === 30_000 ? 50 : 60_000);
    });
    await page.route('**/user/star', () => undefined);
    await page.getByRole('button', { name: 'Star', exact: true }).first().click();
    await page.getByText('Failed to connect to the server').first().waitFor();
    await page.unroute('**/user/star');

    // Back closes, in this order: layers over the page, the message, the list, the app.
    const back = (canGoBack: boolean) => phone.tell('App', 'backButton', { canGoBack });
    await opened(
      'keyfold-share://letter?to=bob%40keyfold.test&subject=Shared&text=Look&file=content%3A%2F%2Fphotos%2Fsun.txt',
    );
    await page.getByRole('textbox', { name: 'Subject' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Shared');
    await page.getByText('sun.txt').first().waitFor();
    await back(true);
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).count()).toBe(0);
    // A draft is not a history entry, however fast the user navigates on from it.
    await opened('keyfold-share://letter?to=bob%40keyfold.test&subject=Hasty');
    await opened('keyfold://open/security');
    await page.waitForURL('**/app/security');
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Hasty');
    await back(true);
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).count()).toBe(0);
    await back(true);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/inbox/recieved/0');
    await page.locator('[data-index]').first().waitFor();
    expect(page.url()).not.toContain('mailto');
    expect(await page.getByRole('textbox', { name: 'Subject' }).count()).toBe(0);
    // Back clears a selection of rows first.
    await page
      .locator('[data-index]')
      .first()
      .getByRole('link')
      .first()
      .click({ modifiers: ['Control'] });
    await page.getByRole('heading', { name: '1 selected' }).waitFor();
    await back(true);
    await page.getByRole('heading', { name: '1 selected' }).waitFor({ state: 'detached' });
    await opened('keyfold://security');
    await page.waitForURL('**/app/security');
    await back(true);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/inbox/recieved/0');
    await back(false);
    await expect.poll(() => phone.asked.includes('App.exitApp')).toBe(true);

    // Opened on a cold start, and not again when the page is reloaded.
    phone.launchUrl = `https://${host}/app/email/${id}`;
    await page.goto(at('/'));
    await page.getByRole('heading', { name: subject }).waitFor();
    await page.goto(at('/app/config/device'));
    await page.getByRole('switch', { name: label }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/config/device');
    phone.launchUrl = null;
  });

  test('biometrics turned on in the settings unlock the app, and the phone stores no password', async () => {
    const { page } = phone;
    // An archive of all mail is stored there unprotected like any file, and the page warns about it
    // before the export starts.
    await page.goto(at('/app/config/account/export'));
    await page.getByText('The file is created on this device', { exact: false }).waitFor();
    await page.getByText('The exported file isn’t encrypted').waitFor();
    await page.getByText(/^The file isn’t encrypted and stays when you sign out/).waitFor();
    await page.goto(at('/app/config/device'));
    phone.sensor.failsWith = 'userCancel';
    await page.getByRole('switch', { name: label }).click();
    await said('Authentication cancelled by user').waitFor();
    expect(kept()).toEqual([]);
    phone.sensor.failsWith = null;
    await page.getByRole('switch', { name: label }).click();
    await page.getByText(/^On until /).waitFor();
    expect(kept()).toEqual(['keyfold_biometric_credentials', 'keyfold_vault']);
    // Deleted when the phone's lock is removed, and never on another phone or in a backup.
    expect([...phone.secure.values()].map(({ access }) => access)).toEqual([4, 4]);
    const { token } = JSON.parse(phone.secure.get('keyfold_biometric_credentials')?.data ?? '{}');
    const local = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    for (const text of [...phone.secure.values()].map(({ data }) => data))
      expect(text).not.toContain(password);
    expect(local).not.toContain(password);
    expect(local).not.toContain(token);

    phone.asked.length = 0;
    await page.goto(at('/'));
    await inbox();
    await rowOf(page, 'Opened by its address').waitFor();
    expect(phone.asked).toContain('BiometricAuthNative.internalAuthenticate');

    const subject = 'Counted';
    await sendFromOutside(product.smtpPort, { to: email, from: olga, subject, text: 'One' });
    await awaitMail(page, subject);
    // Sign-in notices count as well: the badge matches the page title.
    await expect.poll(async () => `(${phone.badge}) Keyfold` === (await page.title())).toBe(true);
    expect(phone.badge).toBeGreaterThan(0);
  });

  test('a link or notification that opens the app is followed after the biometric prompt', async () => {
    const { page } = phone;
    const { id, subject } = mail;
    const isAtMail = async () => {
      await page.getByRole('heading', { name: subject }).waitFor();
      expect(new URL(page.url()).search).toBe(`?m=${id}`);
    };
    const press = { actionId: 'tap', notification: { id: '0:9', data: { type: 'mail', id } } };
    phone.pressed = press;
    await page.goto(at('/'));
    await isAtMail();
    phone.launchUrl = `keyfold://open/email/${id}`;
    await page.goto(at('/'));
    await isAtMail();
    phone.launchUrl = null;
    const whileAsked: readonly (() => Promise<void>)[] = [
      () => phone.tell('App', 'appUrlOpen', { url: `keyfold://email/${id}` }),
      () => phone.tell('PushNotifications', 'pushNotificationActionPerformed', press),
    ];
    for (const open of whileAsked) {
      const { promise, resolve } = Promise.withResolvers<void>();
      phone.sensor.waitsFor = promise;
      phone.asked.length = 0;
      await page.goto(at('/'));
      await expect.poll(() => phone.asked).toContain('BiometricAuthNative.internalAuthenticate');
      await open();
      resolve();
      await isAtMail();
    }
    phone.sensor.waitsFor = null;
  });

  test('each sensor error shows its text and the password form, and only a missing enrollment turns biometrics off', async () => {
    const { page } = phone;
    phone.sensor.failsWith = 'userCancel';
    await page.goto(at('/app/inbox'));
    await said('Authentication cancelled by user').waitFor();
    const failed = 'Biometric authentication failed';
    // Ordered so that each text differs from the previous one.
    const texts = [
      ['authenticationFailed', failed],
      ['biometryNotAvailable', 'Biometric authentication not available on this device'],
      ['appCancel', failed],
      ['userFallback', 'Authentication cancelled by user'],
      ['systemCancel', failed],
      ['userCancel', 'Authentication cancelled by user'],
      ['invalidContext', failed],
      ['biometryNotAvailable', 'Biometric authentication not available on this device'],
      ['notInteractive', failed],
      ['userCancel', 'Authentication cancelled by user'],
      ['', failed],
      ['userFallback', 'Authentication cancelled by user'],
      ['aCodeOfTomorrow', failed],
      ['userCancel', 'Authentication cancelled by user'],
      ['biometryLockout', failed],
    ] as const;
    for (const [code, text] of texts) {
      phone.sensor.failsWith = code;
      await sensorButton().click();
      await said(text).waitFor();
      expect(await isOn(), code).toBe('true');
    }
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    // A temporarily unavailable sensor is not prompted, and biometrics stay enabled for later.
    const { facts } = phone.sensor;
    phone.sensor.facts = { ...facts, isAvailable: false, strongBiometryIsAvailable: false };
    phone.asked.length = 0;
    await page.goto(at('/app/inbox'));
    await said('Biometric authentication not available on this device').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    expect(phone.asked).not.toContain('BiometricAuthNative.internalAuthenticate');
    expect(await isOn()).toBe('true');
    phone.sensor.facts = facts;
    phone.sensor.failsWith = 'biometryNotEnrolled';
    await sensorButton().click();
    await said('No biometric data enrolled on device').waitFor();
    await expect.poll(isOn).toBeNull();
    await expect.poll(kept).toEqual([]);
    phone.sensor.failsWith = null;
  });

  test('expired, incomplete, mismatched or revoked credentials turn biometrics off and show the reason', async () => {
    const { page } = phone;
    const refuse = (code: string) => async () => {
      phone.sensor.failsWith = code;
    };
    const reasons: readonly (readonly [string, () => Promise<unknown>])[] = [
      // The phone no longer has a screen lock: anyone who holds it could enroll their own
      // biometrics.
      ['Biometric authentication not available on this device', refuse('passcodeNotSet')],
      ['Biometric authentication not available on this device', refuse('noDeviceCredential')],
      [
        'Biometric credentials expired. Please login again.',
        () =>
          page.evaluate(() => {
            const notice = JSON.parse(localStorage.getItem('biometric_credentials') ?? '{}');
            localStorage.setItem(
              'biometric_credentials',
              JSON.stringify({ ...notice, expiresAt: Date.now() - 1 }),
            );
          }),
      ],
      ['Vault not found. Please login again.', async () => phone.secure.delete('keyfold_vault')],
      [
        'Email mismatch. Please login again.',
        () =>
          page.evaluate(() => {
            const notice = JSON.parse(localStorage.getItem('biometric_credentials') ?? '{}');
            localStorage.setItem(
              'biometric_credentials',
              JSON.stringify({ ...notice, email: 'b@keyfold.test' }),
            );
          }),
      ],
      ['No biometric credentials found', async () => phone.secure.delete('keyfold_biometric_credentials')],
      [
        'Session expired. Please login again.',
        async () => {
          await letEnd();
          await desk.page.goto(at('/app/security/sessions'));
          await desk.page.getByRole('button', { name: 'End all other sessions' }).click();
          await desk.page.getByText('All other sessions have ended').waitFor();
        },
      ],
    ];
    await page.goto(at('/app/signin'));
    await enterAndTurnOn();
    const putBack = await keep();
    // Each case also ends session and token on the server. Intercepting these requests lets one
    // sign-in serve all cases.
    const ends = ['**/auth/logout', '**/auth/biometrics/end'];
    let ended = 0;
    for (const end of ends)
      await page.route(end, route => {
        ended += 1;
        return route.fulfill({ json: { success: true } });
      });
    const letEnd = async () => {
      for (const end of ends) await page.unroute(end);
    };
    for (const [text, spoil] of reasons) {
      await putBack();
      await spoil();
      await page.goto(at('/app/inbox'));
      await said(text).waitFor();
      await expect.poll(isOn, { message: text }).toBeNull();
      await expect.poll(kept, { message: text }).toEqual([]);
      phone.sensor.failsWith = null;
    }
    // The sessions of all cases but the last, and the token where one was known.
    expect(ended).toBe(6 + 5);
  });

  test('pushes stay off until requested, open the right screen, and disappear when their message is read', async () => {
    expect(phone.problems).toEqual([]);
    await phone.context.close();
    phone = await openShell(browser);
    const { page } = phone;
    const label = 'Notifications on this device';
    const turn = page.getByRole('switch', { name: label });
    const openSettings = async () => {
      await page.goto(at('/app/config/notifications'));
      await turn.waitFor();
    };
    await page.goto(at('/app/signin'));
    await enterAndTurnOn();
    expect(phone.asked).not.toContain('PushNotifications.requestPermissions');
    expect(phone.asked).not.toContain('PushNotifications.register');
    await openSettings();
    phone.push.isAllowed = false;
    await turn.click();
    await page.getByText(/^Blocked by your phone/).waitFor();
    await expect.poll(() => turn.isChecked()).toBe(false);
    phone.push.permission = 'prompt';
    phone.push.isAllowed = true;
    await openSettings();
    await expect.poll(() => turn.isEnabled()).toBe(true);
    await turn.click();
    await expect.poll(() => turn.isChecked()).toBe(true);
    await page.getByRole('list', { name: 'Registered devices' }).getByText('Pixel 9 · Android').waitFor();
    // The channels that the server names; Android shows no notification in a channel that does not
    // exist.
    await expect.poll(() => [...phone.push.channels].sort()).toEqual(['mail', 'security']);
    expect(await findDefects(page)).toEqual([]);

    const last = (type: string) => firebase.taken.findLast(({ data }) => data.type === type);
    const tap = (data: unknown) =>
      phone.tell('PushNotifications', 'pushNotificationActionPerformed', {
        actionId: 'tap',
        notification: { id: '0:1', data },
      });
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect.poll(() => last('test')?.token).toBe(pushToken);
    // The phone shows no notification while the app is in the foreground; the app shows it instead.
    await phone.tell('PushNotifications', 'pushNotificationReceived', {
      id: '0:2',
      data: last('test')?.data,
    });
    await page.getByText('Test notification received').waitFor();

    const subject = 'Told by a push';
    await sendFromOutside(product.smtpPort, { to: email, from: olga, subject, text: 'Three' });
    await expect.poll(() => last('mail')).toBeDefined();
    const { id = '' } = last('mail')?.data ?? {};
    expect(last('mail')?.android.notification).toMatchObject({
      title_loc_key: 'push_title',
      body_loc_key: 'push_mail',
      channel_id: 'mail',
      tag: id,
    });
    expect(JSON.stringify(firebase.taken)).not.toMatch(/Told|olga|alice/i);
    phone.push.shown.add(id).add('another-mail-that-is-gone').add('ranker_group');
    await tap(last('mail')?.data);
    await page.waitForURL(`**/app/inbox/all/0?m=${id}`);
    await page.getByRole('heading', { name: subject }).waitFor();
    await expect.poll(() => [...phone.push.shown]).toEqual(['ranker_group']);
    phone.push.shown.add(id);
    await phone.tell('PushNotifications', 'pushNotificationReceived', { data: { type: 'read', id } });
    await expect.poll(() => phone.push.shown.has(id)).toBe(false);
    await tap({ type: 'security', id });
    await page.waitForURL('**/app/security');
    await tap({ type: 'mail', id: '../config' });
    await inbox();
    await tap({ type: 'security' });
    await page.waitForURL('**/app/security');
    await tap({ type: 'summary' });
    await inbox();
    const arrive = (data: unknown) => phone.tell('PushNotifications', 'pushNotificationReceived', { data });
    // While the app is in the foreground, the list shows new mail and the app does not navigate.
    const place = page.url();
    await arrive(last('mail')?.data);
    await arrive({ type: 'summary' });
    await arrive({ type: 'security', id });
    await page.getByText('Something changed in your account.').waitFor();
    expect(page.url()).toBe(place);
    await rowOf(page, subject).waitFor();
  });

  test('signing out removes credentials, notifications and the badge from the phone', async () => {
    const { page } = phone;
    phone.push.shown.add('summary');
    await page.getByRole('button', { name: /^Account/ }).click();
    const fresh = page.waitForEvent('load');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await fresh;
    await expect.poll(kept).toEqual([]);
    await expect.poll(() => phone.badge).toBe(0);
    await expect.poll(() => phone.push.shown.size).toBe(0);
    await expect.poll(() => phone.asked).toContain('PushNotifications.unregister');
    expect(await isOn()).toBeNull();
    expect(phone.problems).toEqual([]);
  });
});
