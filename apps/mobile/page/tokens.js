/**
 * The tokens of the session on this device: in memory, and in its secure storage (docs/spec-map.md
 * 3.45). Storage failures are only logged, without a value (docs/spec-map.md 8.05). The server's
 * contract names the tokens (packages/contract/src/core/native.ts).
 */

/**
 * The storage key of each token. The token of an MFA-pending session ends with the page and is
 * never stored.
 */
const PLACES = {
  session: 'keyfold_auth_token',
  device: 'keyfold_device_token',
  browser: 'keyfold_browser_token',
};
/** KeychainAccess.whenUnlockedThisDeviceOnly */
const WHILE_UNLOCKED = 1;

/**
 * Notifies workers, which received the session token at their start, when it changes (worker.js).
 */
const news = new BroadcastChannel('keyfold-session');

const held = { session: null, device: null, pending: null, browser: null };

const ask = (method, options) => globalThis.Capacitor.nativePromise('SecureStorage', method, options);

async function quietly(what, work) {
  try {
    return await work();
  } catch {
    // biome-ignore lint/suspicious/noConsole: the specification wants this failure logged and nothing else.
    console.warn(`The token could not be ${what}`);
    return undefined;
  }
}

export const findToken = name => held[name];

/** Reads the tokens that the last run stored. */
export async function readTokens() {
  await Promise.all(
    Object.entries(PLACES).map(async ([name, prefixedKey]) => {
      const answer = await quietly('read', () => ask('internalGetItem', { prefixedKey, sync: false }));
      if (typeof answer?.data === 'string') held[name] = answer.data;
    }),
  );
}

/**
 * Stores the token changes of a response: a string sets a token, null clears it, absent tokens stay
 * as they are.
 */
export async function keepTokens(changes) {
  await Promise.all(
    Object.keys(held).map(async name => {
      const data = changes[name];
      if (data === undefined) return;
      held[name] = data;
      if (name === 'session') news.postMessage(data);
      const prefixedKey = PLACES[name];
      if (prefixedKey === undefined) return;
      if (data === null)
        await quietly('cleared', () => ask('internalRemoveItem', { prefixedKey, sync: false }));
      else
        await quietly('written', () =>
          ask('internalSetItem', { prefixedKey, sync: false, data, access: WHILE_UNLOCKED }),
        );
    }),
  );
}

/** Storage keys of biometric sign-in (apps/web/src/native/secure-store.ts). */
const BIOMETRIC = ['keyfold_biometric_credentials', 'keyfold_vault'];

/**
 * Clears the secure storage of data that belongs to another server, which the new server must not
 * receive, or to another installation.
 */
export const forgetAll = () =>
  Promise.all([
    keepTokens({ session: null, device: null, pending: null, browser: null }),
    ...BIOMETRIC.map(prefixedKey =>
      quietly('cleared', () => ask('internalRemoveItem', { prefixedKey, sync: false })),
    ),
  ]);
