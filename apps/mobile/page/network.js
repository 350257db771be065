/**
 * Routes the web client's API calls to the chosen server. A browser calls the site it came from,
 * with cookies; the shell calls another origin, with tokens (ADR 38). Only API calls are
 * redirected; the app's own files still load from the app.
 */
import { ShellEvents } from './events.js';
import { findToken, keepTokens } from './tokens.js';

const CALLS = /^\/(auth|user|admin|csrf|otp)\//;
const AUTH = /^\/auth\//;
const CHECK = '/auth/check';
const LOGOUT = '/auth/logout';
const RESTORE = '/auth/restore';
/** The tokens sent to /auth/, and their headers (packages/contract/src/core/native.ts). */
const AUTH_HEADERS = {
  device: 'x-keyfold-device',
  pending: 'x-keyfold-pending',
  browser: 'x-keyfold-browser',
};

/** Returns the path and query of an API call, or null for any other address. */
function findCall(address) {
  const url = new URL(address, location.href);
  // Compared by parts: the origin of a URL with iOS's custom scheme is the string "null".
  const isOwn = url.protocol === location.protocol && url.host === location.host;
  return isOwn && CALLS.test(url.pathname) ? url.pathname + url.search : null;
}

/** Returns the headers that authenticate a call. */
function headersFor(path) {
  const headers = {};
  const session = findToken('session');
  if (session !== null) headers.authorization = `Bearer ${session}`;
  if (!AUTH.test(path)) return headers;
  for (const [name, header] of Object.entries(AUTH_HEADERS)) {
    const token = findToken(name);
    if (token !== null) headers[header] = token;
  }
  return headers;
}

/**
 * Forgets a token that the server has rejected with 401: without a token, the next start can choose
 * another server. Sign-in endpoints are excluded, because their 401 is about the credentials the
 * user entered.
 */
async function dropRefused(path, sent) {
  const isOver =
    (!AUTH.test(path) || path === CHECK) && sent.authorization === `Bearer ${findToken('session')}`;
  if (isOver) await keepTokens({ session: null });
  const device = findToken('device');
  if (path === RESTORE && device !== null && sent[AUTH_HEADERS.device] === device)
    await keepTokens({ device: null });
}

async function takeTokens(answer) {
  if (!(answer.headers.get('content-type') ?? '').includes('json')) return;
  const { auth_tokens: changes } = await answer.clone().json();
  // Stored before the page continues, because the page may be closed right after.
  if (changes !== undefined) await keepTokens(changes);
}

/** Routes all API calls of this page and its workers to the server at an origin. */
export function leadCallsTo(base) {
  const plainFetch = globalThis.fetch.bind(globalThis);
  const call = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    const proofs = headersFor(path);
    for (const [name, value] of Object.entries(proofs)) headers.set(name, value);
    try {
      // A WebView rejects keepalive requests that need a CORS preflight.
      const answer = await plainFetch(base + path, {
        ...init,
        headers,
        credentials: 'omit',
        keepalive: false,
      });
      if (answer.status === 401) await dropRefused(path, proofs);
      if (AUTH.test(path)) await takeTokens(answer);
      return answer;
    } finally {
      // Signing out clears the tokens on this phone even when the server cannot be reached.
      if (path === LOGOUT) await keepTokens({ session: null, device: null, pending: null });
    }
  };
  globalThis.fetch = (input, init) => {
    const path = typeof input === 'string' || input instanceof URL ? findCall(input) : null;
    return path === null ? plainFetch(input, init) : call(path, init);
  };

  const PlainRequest = globalThis.XMLHttpRequest;
  globalThis.XMLHttpRequest = class extends PlainRequest {
    open(method, address) {
      const path = findCall(address);
      if (path === null) return super.open(method, address);
      super.open(method, base + path);
      for (const [name, value] of Object.entries(headersFor(path))) this.setRequestHeader(name, value);
    }
  };

  globalThis.EventSource = class extends ShellEvents {
    constructor(address) {
      super(signal =>
        call(findCall(address) ?? address, { headers: { accept: 'text/event-stream' }, signal }),
      );
    }
  };

  const PlainWorker = globalThis.Worker;
  globalThis.Worker = class extends PlainWorker {
    constructor(address, options) {
      // The name is the only data a worker has before its first line runs; worker.js reads it.
      super(address, { ...options, name: JSON.stringify({ base, session: findToken('session') }) });
    }
  };
}
