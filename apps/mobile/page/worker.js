/**
 * The counterpart of network.js inside a worker: routes API calls to the chosen server, with the
 * token of the session that started the worker or the token that replaced it. after-copy.mjs makes
 * every worker of the app load this first.
 */
const CALLS = /^\/(auth|user|admin|csrf|otp)\//;

/**
 * Returns the server and session token for calls, or null when the worker was not started by a page
 * of the shell.
 */
function findTarget() {
  try {
    const { base, session } = JSON.parse(self.name);
    return typeof base === 'string' ? { base, session } : null;
  } catch {
    return null;
  }
}

const target = findTarget();
if (target !== null) {
  new BroadcastChannel('keyfold-session').onmessage = ({ data }) => {
    target.session = data;
  };
  const plainFetch = self.fetch.bind(self);
  self.fetch = (input, init = {}) => {
    const url = typeof input === 'string' || input instanceof URL ? new URL(input, self.location.href) : null;
    const isOwn = url?.protocol === self.location.protocol && url.host === self.location.host;
    if (!isOwn || !CALLS.test(url.pathname)) return plainFetch(input, init);
    const headers = new Headers(init.headers);
    if (target.session !== null) headers.set('authorization', `Bearer ${target.session}`);
    return plainFetch(target.base + url.pathname + url.search, {
      ...init,
      headers,
      credentials: 'omit',
      keepalive: false,
    });
  };
}
