// The reading worker: fetches whole mails, opens and parses them, and makes segments of the search index of them. Reading a
// mailbox leaves garbage many times its size, which a heap keeps for itself once it has grown; so this worker is ended after
// some hundred mails (reading.ts), and its memory goes with it. It sees keys of single messages only.
import type { Email } from '@keyfold/contract';
import { bindingOf, decodeBase64, openWithMessageKey } from '@keyfold/crypto/message';
import { type ParsedMessage, parseHeadersOnly, parseMessage } from '@keyfold/mail/mime/parse';
import { assembleRaw } from '@keyfold/mail/mime/stored-headers';
import { createBuilder, type IndexedMail } from '@keyfold/search/index';
import * as Comlink from 'comlink';
import { searchCalls } from './search-calls.ts';
import type { ReadingPort } from './search-keys.ts';
import { indexedMail } from './search-texts.ts';

let keys: Comlink.Remote<ReadingPort> | null = null;
let builder = createBuilder();

/** Mails by their ids with bodies; a page whose bodies are too many for one answer is asked for mail by mail. */
async function fetchWhole(ids: readonly string[]): Promise<Email[]> {
  const { data } = await searchCalls.mail.some({ ids: [...ids], view: 'full' });
  const whole: Email[] = [];
  for (const mail of data) {
    if (mail.body !== undefined) whole.push(mail);
    else whole.push(...(await searchCalls.mail.some({ ids: [mail.id], view: 'full' })).data);
  }
  return whole;
}

async function parse(mail: Email, body: Uint8Array, key: Uint8Array | null): Promise<ParsedMessage> {
  try {
    if (mail.alert) return await parseMessage(assembleRaw(mail.headers, body));
    if (key === null) throw new Error('Failed to decrypt message');
    return await parseMessage(
      assembleRaw(mail.headers, await openWithMessageKey(body, key), mail.draft || mail.sent),
    );
  } catch {
    // One that does not open is found by its readable headers.
    return parseHeadersOnly(new TextEncoder().encode(mail.headers));
  } finally {
    key?.fill(0);
  }
}

/** Fetches and opens mails, and hands them out one after the other. */
async function eachMail(ids: readonly string[], take: (mail: IndexedMail) => void): Promise<void> {
  const mails = await fetchWhole(ids);
  const bodies = mails.map(({ body }) => decodeBase64(body ?? ''));
  const wraps = await Promise.all(
    mails.map(async ({ ciphertext, encrypted_key, dh_public, salt, key_used }, at) => ({
      wrap: { ciphertext, encrypted_key, dh_public, salt, key_used },
      // Never what the server says: the key opens for this body or not at all.
      binding: await bindingOf(bodies[at] as Uint8Array),
    })),
  );
  const opened = (await keys?.openKeys(wraps)) ?? [];
  for (const [at, mail] of mails.entries())
    take(await indexedMail(mail, await parse(mail, bodies[at] as Uint8Array, opened[at] ?? null)));
}

const readingWorker = {
  /** `portToKeys` leads to the key worker. */
  start: (portToKeys: MessagePort): void => {
    keys = Comlink.wrap<ReadingPort>(portToKeys);
  },
  /** Takes mails into the segment that is being made; when the oldest of them arrived, seconds. */
  add: async (ids: readonly string[]): Promise<number> => {
    let oldest = Number.POSITIVE_INFINITY;
    await eachMail(ids, mail => {
      builder.add(mail);
      oldest = Math.min(oldest, mail.at);
    });
    return oldest;
  },
  /** The segment of the mails that were added, or null when there are none. */
  finish: (uid: Uint8Array): Uint8Array | null => {
    const made = builder;
    builder = createBuilder();
    if (made.docCount() === 0) return null;
    const bytes = made.finish(uid);
    return Comlink.transfer(bytes, [bytes.buffer]);
  },
  /** The texts of mails. */
  texts: async (ids: readonly string[]): Promise<IndexedMail[]> => {
    const read: IndexedMail[] = [];
    await eachMail(ids, mail => read.push(mail));
    return read;
  },
};
export type ReadingWorker = typeof readingWorker;

Comlink.expose(readingWorker);
