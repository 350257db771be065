/**
 * Leads the web client's calls to the chosen server: where a browser asks the site it came from, with cookies, the shell asks
 * another origin, with tokens (ADR 38). Calls alone are led there; files of the program stay the program's.
 */
import { ShellEvents } from './events.js';
import { findToken, keepTokens } from './tokens.js';

const CALLS = /^\/(auth|user|admin|csrf|otp)\//;
const AUTH = /^\/auth\//;
const CHECK = '/auth/check';
const LOGOUT = '/auth/logout';
const RESTORE = '/auth/restore';
/** The tokens that /auth/ gets, and their headers (packages/contract/src/core/native.ts). */
const AUTH_HEADERS = {
  device: 'x-keyfold-device',
  pending: 'x-keyfold-pending',
  browser: 'x-keyfold-browser',
};

/** Path and query of a call to the server, or null for anything else. */
function findCall(address) {
  const url = new URL(address, location.href);
  // By its parts: an address of iOS's scheme has no origin but the word "null".
  const isOwn = url.protocol === location.protocol && url.host === location.host;
  return isOwn && CALLS.test(url.pathname) ? url.pathname + url.search : null;
}

/** The headers that prove who asks. */
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
 * Forgets a token that the server has refused by 401: without one the next start may be at another server. Ways to sign in say
 * 401 of what was typed.
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
  // Kept before the page goes on: it may be closed right after.
  if (changes !== undefined) await keepTokens(changes);
}

/** Leads all calls of this page and its workers to the server at an origin. */
export function leadCallsTo(base) {
  const plainFetch = globalThis.fetch.bind(globalThis);
  const call = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    const proofs = headersFor(path);
    for (const [name, value] of Object.entries(proofs)) headers.set(name, value);
    try {
      // A web view refuses to let a request with a question before it outlive the page.
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
      // Whoever signs out is out on this phone, also where no server hears of it.
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
      // The one thing that a worker knows before its first line; worker.js reads it there.
      super(address, { ...options, name: JSON.stringify({ base, session: findToken('session') }) });
    }
  };
}
