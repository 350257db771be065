import { buildRequest } from '@keyfold/contract/client';
import { mailboxApi } from '@keyfold/contract/mailbox';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { send } from './transport.ts';

const fetching = vi.fn<typeof fetch>();

beforeEach(() => {
  fetching.mockImplementation(async () => Response.json({}));
  vi.stubGlobal('fetch', fetching);
});

afterEach(() => {
  vi.unstubAllGlobals();
  fetching.mockReset();
});

const keptAlive = () => fetching.mock.calls[0]?.[1]?.keepalive;
const starred = (count: number) => ({
  email_id: Array.from({ length: count }, () => 'b'.repeat(36)),
  value: true,
});

test('a small change is made although its page is left', async () => {
  await send(buildRequest(mailboxApi.mail.star, starred(1), {}));
  expect(keptAlive()).toBe(true);
});

test('a large body does not use up what a browser allows to requests that outlive their page', async () => {
  await send(buildRequest(mailboxApi.mail.star, starred(200), {}));
  expect(keptAlive()).toBe(false);
});

test('a question ends with its page', async () => {
  await send(buildRequest(mailboxApi.mail.counts, {}, {}));
  expect(keptAlive()).toBe(false);
});
