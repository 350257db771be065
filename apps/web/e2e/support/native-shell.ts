// A phone's app shell around a page in Chromium. Capacitor's own bridge script runs in the page, as
// on Android, and the native side is simulated here with the plugins' method names and error codes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openPerson, type Person } from './browser.ts';
import { packageFolder, readPluginHeaders } from './plugin-headers.ts';

const plugins = [
  '@capacitor/app',
  '@capacitor/filesystem',
  '@capacitor/share',
  '@aparajita/capacitor-biometric-auth',
  '@aparajita/capacitor-secure-storage',
  '@capawesome/capacitor-badge',
  '@capacitor/device',
  '@capacitor/push-notifications',
] as const;

type Call = {
  readonly callbackId: string;
  readonly pluginId: string;
  readonly methodName: string;
  readonly options?: Readonly<Record<string, unknown>>;
};

/** A recognized finger on a phone with a fingerprint sensor. */
const fingerprint = {
  isAvailable: true,
  strongBiometryIsAvailable: true,
  biometryType: 3,
  biometryTypes: [3],
  deviceIsSecure: true,
  reason: '',
  code: '',
  strongReason: '',
  strongCode: '',
};

/** The token that Firebase issues to this phone. */
export const pushToken = 'fcm-phone-0123456789:story';

export type Phone = Person & {
  /** Calls of the page to the phone, as Plugin.method, without bookkeeping calls. */
  readonly asked: string[];
  /** Contents of the secure storage. */
  readonly secure: Map<string, { readonly data: string; readonly access: number }>;
  /**
   * The sensor: the result of checkBiometry and its delay, the error code of a failing prompt (null
   * for success), and what the prompt waits for before it returns.
   */
  readonly sensor: {
    facts: Readonly<Record<string, unknown>>;
    foundAfter: Promise<void> | null;
    failsWith: string | null;
    waitsFor: Promise<void> | null;
  };
  /** Contents of its files, by folder and path. */
  readonly files: Map<string, Buffer>;
  /** Whether apps may write into its documents. */
  hasDocuments: boolean;
  /**
   * Content passed to the system's share sheet; with `refusesSheet` the sheet is closed instead.
   */
  readonly handedOver: string[];
  refusesSheet: boolean;
  /** The number on the app icon; 0 for none. */
  badge: number;
  /**
   * Notifications: the user's current and future permission, the channels, and the shown
   * notifications by tag.
   */
  readonly push: {
    permission: 'prompt' | 'granted' | 'denied';
    isAllowed: boolean;
    readonly channels: Set<string>;
    readonly shown: Set<string>;
  };
  /** The URL that the app was launched with. */
  launchUrl: string | null;
  /**
   * The notification that was tapped before the app ran; delivered once, as soon as the page
   * listens.
   */
  pressed: unknown;
  /** Triggers an event on the phone. */
  readonly tell: (plugin: string, event: string, data: unknown) => Promise<void>;
};

/** Returns the page's half of the bridge, ready before any script of the page. */
const bridgeScript = (): string => `
window.__phone(JSON.stringify({ methodName: 'newPage' }));
window.androidBridge = { postMessage: json => window.__phone(json) };
window.Capacitor = { DEBUG: false, isLoggingEnabled: false, Plugins: {} };
${readFileSync(path.join(packageFolder('@capacitor/android'), 'capacitor/src/main/assets/native-bridge.js'), 'utf8')}
window.Capacitor.PluginHeaders = ${JSON.stringify(readPluginHeaders(plugins))};
`;

/** Puts a page into the shell; the page must not have been loaded yet. */
async function putIntoShell(page: Page, phone: Omit<Phone, 'tell'>): Promise<Phone['tell']> {
  let listeners: { readonly plugin: string; readonly event: unknown; readonly id: string }[] = [];
  const answer = (reply: Readonly<Record<string, unknown>>) =>
    page.evaluate(
      result =>
        (globalThis as unknown as { Capacitor: { fromNative: (one: unknown) => void } }).Capacitor.fromNative(
          result,
        ),
      reply,
    );
  const tell: Phone['tell'] = async (plugin, event, data) => {
    for (const one of listeners.filter(other => other.plugin === plugin && other.event === event))
      await answer({
        callbackId: one.id,
        pluginId: plugin,
        methodName: 'addListener',
        save: true,
        success: true,
        data,
      });
  };
  const fail = (code: string, message = code) => Object.assign(new Error(message), { code });
  const fileAt = ({ directory, path: file }: Readonly<Record<string, unknown>>) => `${directory}/${file}`;
  const write = (options: Readonly<Record<string, unknown>>, before: Buffer) => {
    if (options.directory === 'DOCUMENTS' && !phone.hasDocuments)
      throw fail('OS-PLUG-FILE-0007', 'Unable to do file operation, user denied permission request.');
    phone.files.set(fileAt(options), Buffer.concat([before, Buffer.from(String(options.data), 'base64')]));
    return { uri: `file:///${fileAt(options)}` };
  };
  const methods: Readonly<Record<string, (options: Readonly<Record<string, unknown>>) => unknown>> = {
    'App.getLaunchUrl': () => (phone.launchUrl === null ? undefined : { url: phone.launchUrl }),
    'App.exitApp': () => undefined,
    'Filesystem.stat': options => {
      const found = phone.files.get(fileAt(options));
      if (found === undefined)
        throw fail('OS-PLUG-FILE-0008', `'stat' failed because file at '${options.path}' does not exist.`);
      return { name: options.path, type: 'file', size: found.length };
    },
    'Filesystem.writeFile': options => write(options, Buffer.alloc(0)),
    'Filesystem.appendFile': options => {
      write(options, phone.files.get(fileAt(options)) ?? Buffer.alloc(0));
    },
    'Filesystem.deleteFile': options => {
      phone.files.delete(fileAt(options));
    },
    'Filesystem.rmdir': options => {
      const inside = [...phone.files.keys()].filter(file => file.startsWith(`${fileAt(options)}/`));
      if (inside.length === 0)
        throw fail('OS-PLUG-FILE-0008', `'rmdir' failed because file at '${options.path}' does not exist.`);
      for (const file of inside) phone.files.delete(file);
    },
    'Share.share': ({ files }) => {
      if (phone.refusesSheet) throw fail('', 'Share canceled');
      phone.handedOver.push(...(files as string[]));
      return { activityType: 'com.example.files' };
    },
    'BiometricAuthNative.checkBiometry': async () => {
      await phone.sensor.foundAfter;
      return phone.sensor.facts;
    },
    'BiometricAuthNative.internalAuthenticate': async () => {
      await phone.sensor.waitsFor;
      if (phone.sensor.failsWith !== null) throw fail(phone.sensor.failsWith, 'The sensor says no');
    },
    'Badge.set': ({ count }) => {
      phone.badge = Number(count);
    },
    'Badge.clear': () => {
      phone.badge = 0;
    },
    'Device.getInfo': () => ({
      model: 'Pixel 9',
      platform: 'android',
      operatingSystem: 'android',
      osVersion: '16',
    }),
    'PushNotifications.checkPermissions': () => ({ receive: phone.push.permission }),
    'PushNotifications.requestPermissions': () => {
      if (phone.push.permission === 'prompt')
        phone.push.permission = phone.push.isAllowed ? 'granted' : 'denied';
      return { receive: phone.push.permission };
    },
    // Firebase's event arrives after the response to the call.
    'PushNotifications.register': () => {
      setTimeout(
        () => void tell('PushNotifications', 'registration', { value: pushToken }).catch(() => undefined),
        0,
      );
    },
    'PushNotifications.unregister': () => undefined,
    'PushNotifications.createChannel': ({ id }) => {
      phone.push.channels.add(String(id));
    },
    'PushNotifications.getDeliveredNotifications': () => ({
      notifications: [...phone.push.shown].map(tag => ({ id: 0, tag })),
    }),
    'PushNotifications.removeDeliveredNotifications': ({ notifications }) => {
      for (const { tag } of notifications as readonly { readonly tag: string }[])
        phone.push.shown.delete(tag);
    },
    'PushNotifications.removeAllDeliveredNotifications': () => phone.push.shown.clear(),
    'SecureStorage.internalGetItem': ({ prefixedKey }) => ({
      data: phone.secure.get(String(prefixedKey))?.data ?? null,
    }),
    'SecureStorage.internalSetItem': ({ prefixedKey, data, access }) => {
      phone.secure.set(String(prefixedKey), { data: String(data), access: Number(access) });
    },
    'SecureStorage.internalRemoveItem': ({ prefixedKey }) => ({
      success: phone.secure.delete(String(prefixedKey)),
    }),
  };
  await page.exposeFunction('__phone', async (json: string) => {
    const { callbackId, pluginId, methodName, options = {} } = JSON.parse(json) as Call;
    if (methodName === 'newPage') {
      listeners = [];
      return;
    }
    if (methodName === 'addListener') {
      listeners.push({ plugin: pluginId, event: options.eventName, id: callbackId });
      const { pressed } = phone;
      if (options.eventName === 'pushNotificationActionPerformed' && pressed !== null) {
        phone.pressed = null;
        void tell(pluginId, options.eventName, pressed).catch(() => undefined);
      }
      return;
    }
    const name = `${pluginId}.${methodName}`;
    phone.asked.push(name);
    const reply = { callbackId, pluginId, methodName, save: false };
    try {
      const method = methods[name];
      if (method === undefined) throw fail('UNIMPLEMENTED', `${name} is not played here`);
      // The page may be closed meanwhile.
      answer({ ...reply, success: true, data: await method(options) }).catch(() => undefined);
    } catch (error) {
      const { message, code } = error as Error & { readonly code: string };
      answer({ ...reply, success: false, error: { message, code } }).catch(() => undefined);
    }
  });
  await page.addInitScript(bridgeScript());
  return tell;
}

/** Opens a phone on which the app is installed but not yet opened. */
export async function openShell(
  browser: Browser,
  options: Parameters<typeof openPerson>[1] = {},
): Promise<Phone> {
  const person = await openPerson(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    ...options,
  });
  const phone = {
    ...person,
    asked: [],
    secure: new Map(),
    sensor: { facts: fingerprint, foundAfter: null, failsWith: null, waitsFor: null },
    files: new Map(),
    hasDocuments: true,
    handedOver: [],
    refusesSheet: false,
    badge: 0,
    push: {
      permission: 'prompt' as const,
      isAllowed: true,
      channels: new Set<string>(),
      shown: new Set<string>(),
    },
    launchUrl: null,
    pressed: null,
  };
  return Object.assign(phone, { tell: await putIntoShell(person.page, phone) });
}
