// Polling and events in a page built from stubs of the browser: which requests they send, when, and
// which window events follow.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { POLL_INTERVAL_MS, unansweredRetryMs } from '../../timing.ts';
import { onSessionLost } from '../calls/client.ts';
import { isReachable, setAnswering } from '../calls/reachability.ts';
import { mailboxChanged, newEmailsReceived } from './mail-news.ts';
import { startWatch } from './mail-watch.ts';

class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeSource[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.opened.push(this);
  }
  close(): void {
    this.readyState = FakeSource.CLOSED;
  }
  say(name: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
}
const live = () => FakeSource.opened.filter(one => one.readyState !== FakeSource.CLOSED);

type Answer = { has_new_emails: boolean; new_email_count: number };
let page: EventTarget & { visibilityState: string };
let asked: string[];
let answers: Answer[];
let heard: { name: string; detail: unknown }[];
let stop: () => void;
let isAway: boolean;

const NOTHING: Answer = { has_new_emails: false, new_email_count: 0 };
function show(visibilityState: string) {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answers = [];
  heard = [];
  FakeSource.opened = [];
  isAway = false;
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const frame = new EventTarget();
  for (const name of [newEmailsReceived, mailboxChanged])
    frame.addEventListener(name, event => heard.push({ name, detail: (event as CustomEvent).detail }));
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', frame);
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    if (isAway) throw new TypeError('Failed to fetch');
    const last_check = new Date(asked.length).toISOString();
    return Response.json({ success: true, last_check, ...(answers.shift() ?? NOTHING) });
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('polls for new mail every 30 seconds (± 10 %) after the last answer', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  stop = startWatch();
  await settle();
  expect(asked).toEqual(['/user/check_new']);
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
  expect(asked).toHaveLength(4);
  expect(asked[1]).toBe(`/user/check_new?last_check=${encodeURIComponent(new Date(1).toISOString())}`);
  vi.restoreAllMocks();
});

test('retries an unreachable server soon, then backs off until it answers', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  stop = startWatch();
  await settle();
  isAway = true;
  setAnswering(false);
  for (const [waitMs, count] of [
    [unansweredRetryMs - 1, 1],
    // A request whose connection broke is sent once more before it counts as unanswered
    // (transport.ts).
    [1, 3],
    [2 * unansweredRetryMs, 5],
    [4 * unansweredRetryMs, 7],
  ] as const) {
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(asked).toHaveLength(count);
  }
  isAway = false;
  await vi.advanceTimersByTimeAsync(8 * unansweredRetryMs);
  expect(isReachable()).toBe(true);
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS - 1);
  expect(asked).toHaveLength(8);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveLength(9);
  vi.restoreAllMocks();
});

test('a suspension ends the session at once and gives the reason', async () => {
  const told: (string | undefined)[] = [];
  const stopListening = onSessionLost(why => told.push(why));
  stop = startWatch();
  await settle();
  vi.stubGlobal('fetch', async () =>
    Response.json(
      {
        success: false,
        code: 'not_logged_in',
        message: 'Not logged in',
        errors: [
          { path: 'why', message: 'suspended' },
          { path: 'reason', message: 'It sent spam' },
        ],
      },
      { status: 401 },
    ),
  );
  live()[0]?.say('suspended', { version: 0 });
  await settle();
  expect(told).toEqual(['This account is suspended. Reason: It sent spam']);
  stopListening();
});

test('a hidden tab stops polling and streaming until it is visible', async () => {
  stop = startWatch();
  await settle();
  show('hidden');
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 5);
  expect(asked).toHaveLength(1);
  expect(live()).toEqual([]);
  show('visible');
  await settle();
  expect(asked).toHaveLength(2);
  expect(live().map(one => one.url)).toEqual(['/user/events']);
});

test('a hidden tab that may show notifications keeps polling and streaming', async () => {
  vi.stubGlobal('Notification', { permission: 'granted' });
  stop = startWatch();
  await settle();
  show('hidden');
  expect(live()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3);
  expect(asked.length).toBeGreaterThan(2);
  live()[0]?.say('mail', { version: 7 });
  await settle();
  expect(heard).toContainEqual({ name: mailboxChanged, detail: { version: 7 } });
});

test('a mail event triggers a poll; the window is notified of new mail only if there is any', async () => {
  stop = startWatch();
  await settle();
  answers.push(NOTHING, { has_new_emails: true, new_email_count: 2 });
  live()[0]?.say('mail', { version: 7 });
  await settle();
  expect(asked).toHaveLength(2);
  expect(heard).toEqual([{ name: mailboxChanged, detail: { version: 7 } }]);
  live()[0]?.say('mail', { version: 8 });
  await settle();
  expect(heard.slice(1)).toEqual([
    { name: mailboxChanged, detail: { version: 8 } },
    { name: newEmailsReceived, detail: { count: 2 } },
  ]);
});

test('a burst of events triggers at most two polls, one after the other', async () => {
  stop = startWatch();
  await settle();
  for (let number = 0; number < 20; number++) live()[0]?.say('mail', { version: number });
  await settle();
  expect(asked).toHaveLength(3);
});

test('unknown events are ignored', async () => {
  stop = startWatch();
  await settle();
  live()[0]?.say('change', { version: 'seven' });
  live()[0]?.say('change', null);
  live()[0]?.say('other', { version: 1 });
  live()[0]?.dispatchEvent(new MessageEvent('change', { data: '{' }));
  expect(heard).toEqual([]);
});

test('a refused stream is reopened with growing delays while polling continues', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  stop = startWatch();
  await settle();
  const refuse = () => {
    const source = live()[0];
    source?.close();
    source?.dispatchEvent(new Event('error'));
  };
  refuse();
  expect(live()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(live()).toHaveLength(1);
  refuse();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(live()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(live()).toHaveLength(1);
  // The browser reconnects a broken connection.
  live()[0]?.dispatchEvent(new Event('error'));
  expect(live()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
  expect(asked.length).toBeGreaterThan(1);
  vi.restoreAllMocks();
});

test('a stopped watch neither polls nor receives events', async () => {
  stop = startWatch();
  await settle();
  stop();
  show('visible');
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 2);
  expect(asked).toHaveLength(1);
  expect(live()).toEqual([]);
});
