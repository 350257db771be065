/**
 * The first thing that runs in the shell, before the web client: finds the server, reads the tokens, leads the calls there,
 * and starts the client. after-copy.mjs puts it in the place of the client's own script.
 */
import { chooseServer } from './choose-server.js';
import { leadCallsTo } from './network.js';
import { readServerAddress } from './server-address.js';
import { findToken, forgetAll, readTokens } from './tokens.js';

const ADDRESS = 'server_address';
/** Set while somebody signs in by biometrics (docs/spec-map.md 3). */
const BIOMETRICS = 'biometric_enabled';

async function start() {
  const client = document.querySelector('meta[name="keyfold-client"]').content;
  const last = readServerAddress(localStorage.getItem(ADDRESS) ?? '');
  // The Keychain outlives an app that was removed: without an address these are of another installation.
  if (last === null) await forgetAll();
  else await readTokens();
  // Whoever is about to sign in may do so elsewhere; biometrics belong to the server where they were turned on.
  const isKnown =
    ['session', 'device'].some(name => findToken(name) !== null) || localStorage.getItem(BIOMETRICS) !== null;
  const isAsked = last === null || !isKnown;
  if (isAsked) void globalThis.Capacitor.nativePromise('SplashScreen', 'hide', {}).catch(() => undefined);
  const server = isAsked ? await chooseServer(last) : last;
  if (server !== last) {
    await forgetAll();
    // What a session that ended left here is of an account at the other server.
    localStorage.clear();
    localStorage.setItem(ADDRESS, server);
  }
  leadCallsTo(server);
  await import(client);
  void globalThis.Capacitor.nativePromise('SplashScreen', 'hide', {}).catch(() => undefined);
}

void start();
