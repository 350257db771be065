// A file that blocks or crashes the worker that opens it costs the search index the text of one
// message only.
import type { Email } from '@keyfold/contract';
import { parseMessage } from '@keyfold/mail/mime/parse';
import { expect, test, vi } from 'vitest';
import { INDEXED_CONTAINER_MS } from '../../timing.ts';
import { playWorkers, started } from '../worker/fake-worker.ts';
import { workerReady } from '../worker/worker-ready.ts';
import { createContainerOpener, OpenerStopped } from './container-opener.ts';
import { indexedMail } from './search-texts.ts';

playWorkers();

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const settle = () => vi.advanceTimersByTimeAsync(1);

async function come(at: number): Promise<void> {
  await settle();
  started[at]?.onmessage?.({ data: workerReady });
  await settle();
}

/** Answers the last request to a worker, as Comlink does. */
async function answer(at: number, value: unknown): Promise<void> {
  const asked = started[at]?.heard.at(-1) as { id: string };
  started[at]?.onmessage?.({ data: { id: asked.id, type: 'RAW', value } });
  await settle();
}

test('one worker opens files one after another', async () => {
  const { open } = createContainerOpener();
  const both = Promise.all([open(utf8('a')), open(utf8('b'))]);
  await come(0);
  await answer(0, { kind: 'opened', value: 1 });
  await vi.advanceTimersByTimeAsync(INDEXED_CONTAINER_MS - 10);
  await answer(0, { kind: 'opened', value: 2 });
  expect(await both).toEqual([1, 2]);
  expect(started).toHaveLength(1);
});

test('an idle worker ends after its answer, and the next file starts another', async () => {
  const { open, rest } = createContainerOpener();
  const first = open(utf8('a'));
  rest();
  await come(0);
  expect(started[0]?.isEnded).toBe(false);
  await answer(0, { kind: 'opened', value: 1 });
  expect(await first).toBe(1);
  await settle();
  expect(started[0]?.isEnded).toBe(true);
  const second = open(utf8('b'));
  await come(1);
  await answer(1, { kind: 'opened', value: 2 });
  expect(await second).toBe(2);
});

test('a file that is no message is refused without ending the worker', async () => {
  const { open } = createContainerOpener();
  const opened = expect(open(utf8('a'))).rejects.toThrow('damaged');
  await come(0);
  await answer(0, { kind: 'refused', reason: 'damaged' });
  await opened;
  expect(started[0]?.isEnded).toBe(false);
});

test.each([
  ['takes too long', () => vi.advanceTimersByTimeAsync(INDEXED_CONTAINER_MS)],
  ['breaks the worker', async () => started[0]?.onerror?.({ message: 'out of memory' })],
])('a file that %s ends its worker, and the next file gets another', async (_, stop) => {
  const { open } = createContainerOpener();
  const first = expect(open(utf8('a'))).rejects.toBeInstanceOf(OpenerStopped);
  await come(0);
  const second = open(utf8('b'));
  await stop();
  await first;
  expect(started[0]?.isEnded).toBe(true);
  await come(1);
  await answer(1, { kind: 'opened', value: 2 });
  expect(await second).toBe(2);
});

test('after such a file the other files of the message are indexed by name only', async () => {
  const file = (name: string) =>
    `--b\r\nContent-Type: message/rfc822; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nSubject: x\r\n\r\ny\r\n`;
  const mail = await parseMessage(
    utf8(
      `Subject: s\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nWords around\r\n${file('a.eml')}${file('c.eml')}--b--\r\n`,
    ),
  );
  let asked = 0;
  const openContainer = async () => {
    asked += 1;
    throw new OpenerStopped();
  };
  const email = { id: 'm', received_at: '2026-01-01T00:00:00Z', attachments: [], sent: false, draft: false };
  const { texts } = await indexedMail(email as unknown as Email, mail, {
    fetchFile: async () => new Uint8Array(),
    openContainer,
  });
  expect(asked).toBe(1);
  expect(texts.body).toContain('Words around');
  expect(texts.filename).toBe('a.eml\nc.eml');
});
