/**
 * Entry point of the shell, which runs before the web client: finds the server, reads the tokens,
 * routes API calls to that server, and starts the client. after-copy.mjs substitutes it for the
 * client's own script.
 */
import { chooseServer } from './choose-server.js';
import { leadCallsTo } from './network.js';
import { readServerAddress } from './server-address.js';
import { findToken, forgetAll, readTokens } from './tokens.js';

const ADDRESS = 'server_address';
/** Set while biometric sign-in is enabled (docs/spec-map.md 3). */
const BIOMETRICS = 'biometric_enabled';

async function start() {
  const client = document.querySelector('meta[name="keyfold-client"]').content;
  const last = readServerAddress(localStorage.getItem(ADDRESS) ?? '');
  // The Keychain survives removal of the app: without an address, these tokens belong to an earlier
  // installation.
  if (last === null) await forgetAll();
  else await readTokens();
  // A user who has to sign in may choose another server; biometric sign-in belongs to the server
  // where it was enabled.
  const isKnown =
    ['session', 'device'].some(name => findToken(name) !== null) || localStorage.getItem(BIOMETRICS) !== null;
  const isAsked = last === null || !isKnown;
  if (isAsked) void globalThis.Capacitor.nativePromise('SplashScreen', 'hide', {}).catch(() => undefined);
  const server = isAsked ? await chooseServer(last) : last;
  if (server !== last) {
    await forgetAll();
    // Data left by an earlier session belongs to an account on the other server.
    localStorage.clear();
    localStorage.setItem(ADDRESS, server);
  }
  leadCallsTo(server);
  await import(client);
  void globalThis.Capacitor.nativePromise('SplashScreen', 'hide', {}).catch(() => undefined);
}

void start();
