// The worker's reactions to pushes, with stubs for the browser: which notifications are shown, with
// which texts, and which are dismissed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readPush, tellOfPush } from './service-worker-push.ts';

type Shown = { title: string; body: string; tag: string; target: unknown };

let shown: Shown[];
let badge: number | null;
let pages: {
  focused: boolean;
  visibilityState: string;
  postMessage: (message: unknown, ports: Transferable[]) => void;
}[];
let userAgent: string;
let kept: Record<string, unknown> | undefined;

const scope = (): Parameters<typeof tellOfPush>[0] => ({
  registration: {
    getNotifications: async () =>
      shown.map(one => ({
        tag: one.tag,
        data: { target: one.target },
        close: () => {
          shown = shown.filter(other => other !== one);
        },
      })),
    showNotification: async (title, { body = '', tag = '', data }) => {
      shown = [...shown.filter(one => one.tag !== tag), { title, body, tag, target: data.target }];
    },
  },
  clients: { matchAll: async () => pages },
  navigator: {
    userAgent,
    setAppBadge: async count => {
      badge = count;
    },
    clearAppBadge: async () => {
      badge = 0;
    },
  },
});
async function push(message: unknown): Promise<void> {
  const read = readPush(JSON.stringify(message));
  if (read === null) throw new Error('not understood');
  await tellOfPush(scope(), read);
}
/** A page that answers the worker's questions. */
const page = (words: unknown, focused = false) => ({
  focused,
  visibilityState: focused ? 'visible' : 'hidden',
  postMessage: (message: unknown, [port]: Transferable[]) => {
    if (words !== undefined)
      (port as MessagePort).postMessage(typeof words === 'function' ? words(message) : words);
  },
});

beforeEach(() => {
  shown = [];
  badge = null;
  pages = [];
  userAgent = 'Mozilla/5.0 AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36';
  kept = undefined;
  vi.stubGlobal('caches', {
    match: async () => (kept === undefined ? undefined : new Response(JSON.stringify(kept))),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('readPush ignores payloads of unknown type', () => {
  for (const text of [undefined, '', 'x', '[]', 'null', '{"type":"other"}', '{"type":3}'])
    expect(readPush(text)).toBe(null);
  expect(readPush('{"type":"mail","id":"../x","badge":-4}')).toEqual({ type: 'mail', id: null, badge: 0 });
  expect(readPush('{"type":"mail","id":"a-1","badge":2.7}   ')).toEqual({
    type: 'mail',
    id: 'a-1',
    badge: 2,
  });
});

test('shows the generic text in the stored language when no page is open', async () => {
  await push({ type: 'mail', id: 'a-1', badge: 1 });
  expect(shown).toEqual([{ title: 'Keyfold', body: 'New message', tag: 'a-1', target: '#/email/a-1' }]);
  kept = { security: { title: 'Sicherheitshinweis', body: 'Etwas' } };
  await push({ type: 'security', id: 'a-2', badge: 2 });
  expect(shown.at(-1)).toEqual({
    title: 'Sicherheitshinweis',
    body: 'Etwas',
    tag: 'a-2',
    target: '#/security',
  });
  expect(badge).toBe(2);
});

test('uses the text of a page that can decrypt the message and does not wait for one that cannot', async () => {
  pages = [
    page(null),
    page(({ pushed }: { pushed: string }) => ({ title: `Zoe ${pushed}`, body: 'New message' })),
  ];
  await push({ type: 'mail', id: 'a-1', badge: 1 });
  expect(shown[0]?.title).toBe('Zoe a-1');
  pages = [page(null)];
  await push({ type: 'mail', id: 'a-2', badge: 2 });
  expect(shown.at(-1)?.title).toBe('Keyfold');
  vi.useFakeTimers();
  pages = [page(undefined)];
  const waiting = push({ type: 'mail', id: 'a-3', badge: 3 });
  await vi.advanceTimersByTimeAsync(3_000);
  await waiting;
  vi.useRealTimers();
  expect(shown.at(-1)?.tag).toBe('a-3');
});

test('shows nothing while the user views the page, except for a test or where the browser requires it', async () => {
  pages = [page({ title: 'Zoe', body: 'x' }, true)];
  await push({ type: 'mail', id: 'a-1', badge: 1 });
  expect(shown).toEqual([]);
  await push({ type: 'test', badge: 1 });
  expect(shown.map(one => one.tag)).toEqual(['test']);
  userAgent = 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Version/26.0 Mobile Safari/604.1';
  await push({ type: 'mail', id: 'a-2', badge: 2 });
  expect(shown.map(one => one.tag)).toEqual(['test', 'a-2']);
});

test('collapses more than three messages into one notification with the unread count', async () => {
  kept = { summary: { title: 'Keyfold', body: 'Unread: {count}' } };
  for (let n = 1; n <= 3; n++) await push({ type: 'mail', id: `a-${n}`, badge: n });
  expect(shown).toHaveLength(3);
  await push({ type: 'mail', id: 'a-4', badge: 4 });
  expect(shown).toEqual([{ title: 'Keyfold', body: 'Unread: 4', tag: 'many', target: '#/inbox' }]);
  await push({ type: 'mail', id: 'a-5', badge: 5 });
  await push({ type: 'summary', badge: 40 });
  expect(shown.map(one => [one.tag, one.body])).toEqual([['many', 'Unread: 40']]);
});

test('removes the other notifications when only one message is unread', async () => {
  for (let n = 1; n <= 3; n++) await push({ type: 'mail', id: `a-${n}`, badge: n });
  await push({ type: 'mail', id: 'a-4', badge: 1 });
  expect(shown.map(one => one.tag)).toEqual(['a-4']);
});

test('removes notifications of read messages, and all of them when nothing is unread', async () => {
  for (let n = 1; n <= 3; n++) await push({ type: 'mail', id: `a-${n}`, badge: n });
  await push({ type: 'read', id: 'a-2', badge: 2 });
  expect(shown.map(one => one.tag)).toEqual(['a-1', 'a-3']);
  await push({ type: 'read', id: 'a-9', badge: 0 });
  expect(shown).toEqual([]);
  expect(badge).toBe(0);
});

test('keeps an account notice when messages are read or arrive', async () => {
  await push({ type: 'security', id: 'n-1', badge: 1 });
  for (let n = 1; n <= 4; n++) await push({ type: 'mail', id: `a-${n}`, badge: n + 1 });
  expect(shown.map(one => one.tag)).toEqual(['n-1', 'many']);
  await push({ type: 'mail', id: 'a-5', badge: 1 });
  expect(shown.map(one => one.tag)).toEqual(['n-1', 'a-5']);
  await push({ type: 'read', id: 'n-1', badge: 0 });
  expect(shown.map(one => one.tag)).toEqual(['n-1']);
});
