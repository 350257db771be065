import { mailCalls } from '@keyfold/contract/calls/mail';
import { sendingCalls } from '@keyfold/contract/calls/sending';
import { tagsCalls } from '@keyfold/contract/calls/tags';
import { buildRequest, createGroupClient } from '@keyfold/contract/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NATIVE_REQUEST_TIMEOUT_MS, WEB_REQUEST_TIMEOUT_MS } from '../timing.ts';
import { send, setRequestTimeout } from './transport.ts';

const fetching = vi.fn<typeof fetch>();

beforeEach(() => {
  fetching.mockImplementation(async () => Response.json({}));
  vi.stubGlobal('fetch', fetching);
});

afterEach(() => {
  vi.unstubAllGlobals();
  fetching.mockReset();
  vi.restoreAllMocks();
  setRequestTimeout(WEB_REQUEST_TIMEOUT_MS);
});

const keptAlive = () => fetching.mock.calls[0]?.[1]?.keepalive;
const starred = (count: number) => ({
  email_id: Array.from({ length: count }, () => 'b'.repeat(36)),
  value: true,
});

test('a small change is sent even if its page is closed', async () => {
  await send(buildRequest(mailCalls.star, starred(1), {}));
  expect(keptAlive()).toBe(true);
});

test('a large body does not use the browser’s keepalive quota', async () => {
  await send(buildRequest(mailCalls.star, starred(200), {}));
  expect(keptAlive()).toBe(false);
});

test('a read request ends with its page', async () => {
  await send(buildRequest(mailCalls.counts, {}, {}));
  expect(keptAlive()).toBe(false);
});

test('requests wait ten seconds in a browser, thirty on a phone, and longer if the call says so', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout');
  const { counts } = mailCalls;
  const longest = { ...counts, timeoutMs: 60_000 };
  const quicker = { ...counts, timeoutMs: 20_000 };
  for (const call of [counts, quicker, longest]) await send(buildRequest(call, {}, {}));
  setRequestTimeout(NATIVE_REQUEST_TIMEOUT_MS);
  for (const call of [counts, quicker, longest]) await send(buildRequest(call, {}, {}));
  expect(limits.mock.calls.flat()).toEqual([10_000, 20_000, 60_000, 30_000, 30_000, 60_000]);
});

test('a server that does not respond in time is reported with the text of the specification', async () => {
  setRequestTimeout(1);
  fetching.mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      }),
  );
  await expect(createGroupClient(mailCalls, send).counts({})).rejects.toMatchObject({
    message: 'Failed to connect to the server',
    status: 0,
  });
});

const badGateway = () =>
  new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });
const question = () => buildRequest(mailCalls.counts, {}, {});

test('a read request is retried once after a broken connection or a proxy error', async () => {
  fetching.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect((await send(question())).status).toBe(200);
  fetching.mockResolvedValueOnce(badGateway());
  expect((await send(question())).status).toBe(200);
  expect(fetching).toHaveBeenCalledTimes(4);
  fetching.mockImplementation(async () => badGateway());
  await expect(send(question())).rejects.toThrow(TypeError);
  expect(fetching).toHaveBeenCalledTimes(6);
});

test('a change is retried only if it is idempotent or has an idempotency key', async () => {
  fetching.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  expect((await send(buildRequest(mailCalls.star, starred(1), {}))).status).toBe(200);
  fetching.mockResolvedValueOnce(badGateway());
  const tag = { name: 'Work', color: 'mint' };
  expect((await send(buildRequest(tagsCalls.save, { tag }, {}))).status).toBe(200);
  expect(fetching).toHaveBeenCalledTimes(4);
  fetching.mockRejectedValue(new TypeError('Failed to fetch'));
  const removal = { email_id: ['b'.repeat(36)] };
  // A second request would permanently delete what the first one moved to Deleted.
  await expect(send(buildRequest(mailCalls.remove, removal, {}))).rejects.toThrow();
  expect(fetching).toHaveBeenCalledTimes(5);
  const headers = { 'idempotency-key': 'k' };
  await expect(send(buildRequest(mailCalls.remove, removal, { headers }))).rejects.toThrow();
  expect(fetching).toHaveBeenCalledTimes(7);
});

test('saving a draft is retried only for an existing draft', async () => {
  fetching.mockRejectedValue(new TypeError('Failed to fetch'));
  const { draft } = sendingCalls;
  await expect(send(buildRequest(draft, { body: 'AAAA' }, {}))).rejects.toThrow();
  expect(fetching).toHaveBeenCalledTimes(1);
  await expect(send(buildRequest(draft, { body: 'AAAA', draft_id: 'd' }, {}))).rejects.toThrow();
  expect(fetching).toHaveBeenCalledTimes(3);
});

test('a canceled request is not sent again', async () => {
  fetching.mockRejectedValue(new DOMException('Canceled', 'AbortError'));
  await expect(send(question())).rejects.toThrow('Canceled');
  expect(fetching).toHaveBeenCalledTimes(1);
});

test('an error response from the server itself is not retried', async () => {
  fetching.mockImplementation(async () =>
    Response.json({ success: false, code: 'unavailable', message: 'Down' }, { status: 503 }),
  );
  expect(await send(question())).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  expect(fetching).toHaveBeenCalledTimes(1);
});
