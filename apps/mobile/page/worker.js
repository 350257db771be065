/**
 * The same as network.js inside a worker: its calls go to the chosen server, with the token of the session that started it, or
 * of the one that went on from there. after-copy.mjs has every worker of the program load this first.
 */
const CALLS = /^\/(auth|user|admin|csrf|otp)\//;

/** Where the calls go; null where no page of the shell has started this worker. */
function findDoor() {
  try {
    const { base, session } = JSON.parse(self.name);
    return typeof base === 'string' ? { base, session } : null;
  } catch {
    return null;
  }
}

const door = findDoor();
if (door !== null) {
  new BroadcastChannel('keyfold-session').onmessage = ({ data }) => {
    door.session = data;
  };
  const plainFetch = self.fetch.bind(self);
  self.fetch = (input, init = {}) => {
    const url = typeof input === 'string' || input instanceof URL ? new URL(input, self.location.href) : null;
    const isOwn = url?.protocol === self.location.protocol && url.host === self.location.host;
    if (!isOwn || !CALLS.test(url.pathname)) return plainFetch(input, init);
    const headers = new Headers(init.headers);
    if (door.session !== null) headers.set('authorization', `Bearer ${door.session}`);
    return plainFetch(door.base + url.pathname + url.search, {
      ...init,
      headers,
      credentials: 'omit',
      keepalive: false,
    });
  };
}
