// The reading worker: fetches whole mails, opens and parses them, and makes segments of the search index of them. Reading a
// mailbox leaves garbage many times its size, which a heap keeps for itself once it has grown; so this worker is ended after
// some hundred mails (reading.ts), and its memory goes with it. It sees keys of single messages only.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { bindingOf, decodeBase64, openWithMessageKey } from '@keyfold/crypto/message';
import { type ParsedMessage, parseHeadersOnly, parseMessage } from '@keyfold/mail/mime/parse';
import { reattach } from '@keyfold/mail/mime/reattach';
import { assembleRaw } from '@keyfold/mail/mime/stored-headers';
import { createBuilder, type IndexedMail } from '@keyfold/search/index';
import * as Comlink from 'comlink';
import type { TakeSource } from './reading.ts';
import { fetchContainer, MissingBytes, searchCalls } from './search-calls.ts';
import type { ReadingPort } from './search-keys.ts';
import { indexedMail } from './search-texts.ts';

let keys: Comlink.Remote<ReadingPort> | null = null;
let builder = createBuilder();

/**
 * Mails by their ids with bodies, in that order, some at a time: a page whose bodies are too many for one answer is asked for
 * mail by mail, and none of them waits in memory for the others.
 */
async function* fetchWhole(ids: readonly string[]): AsyncGenerator<Email[]> {
  const { data } = await searchCalls.mail.some({ ids: [...ids], view: 'full' });
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: Email): number => places.get(id) ?? ids.length;
  let together: Email[] = [];
  for (const mail of data.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    if (mail.body !== undefined) {
      together.push(mail);
      continue;
    }
    if (together.length > 0) yield together;
    together = [];
    yield (await searchCalls.mail.some({ ids: [mail.id], view: 'full' })).data;
  }
  if (together.length > 0) yield together;
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

type TakeWhole = (mail: Email, body: Uint8Array, key: Uint8Array | null) => Promise<void>;

/** Fetches the keys of mails' bodies, and hands the mails out one after the other. */
async function openWhole(mails: readonly Email[], take: TakeWhole): Promise<void> {
  const bodies = mails.map(({ body }) => decodeBase64(body ?? ''));
  const wraps = await Promise.all(
    mails.map(async ({ ciphertext, encrypted_key, dh_public, salt, key_used }, at) => ({
      wrap: { ciphertext, encrypted_key, dh_public, salt, key_used },
      // Never what the server says: the key opens for this body or not at all.
      binding: await bindingOf(bodies[at] as Uint8Array),
    })),
  );
  const opened = (await keys?.openKeys(wraps)) ?? [];
  for (const [at, mail] of mails.entries()) await take(mail, bodies[at] as Uint8Array, opened[at] ?? null);
}

/** Fetches mails and the keys of their bodies, and hands them out one after the other, in the order of the ids. */
async function eachWhole(ids: readonly string[], take: TakeWhole): Promise<void> {
  for await (const mails of fetchWhole(ids)) await openWhole(mails, take);
}

/** Fetches and opens mails, and hands out what of them is indexed. */
const eachMail = (ids: readonly string[], take: (mail: IndexedMail) => void): Promise<void> =>
  eachWhole(ids, async (mail, body, key) => take(await indexedMail(mail, await parse(mail, body, key))));

/** The mail byte for byte, its files put back in. Rejects when it, or one of its files, does not open. */
async function sourceOf(mail: Email, body: Uint8Array, key: Uint8Array | null): Promise<Uint8Array> {
  if (mail.alert) return assembleRaw(mail.headers, body);
  if (key === null) throw new Error('Failed to decrypt message');
  const payload = await openWithMessageKey(body, key);
  const isOwn = mail.draft || mail.sent || mail.scheduled;
  return reattach(assembleRaw(mail.headers, payload, isOwn), async file =>
    openWholeAttachment(decodeBase64(file.key), await fetchContainer(file.id)),
  );
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
  /** Hands over mails byte for byte, and waits each time until they were taken. Rejects while the server is away. */
  sources: (ids: readonly string[], take: TakeSource): Promise<void> =>
    eachWhole(ids, async (mail, body, key) => {
      const { body: _, ...state } = mail;
      try {
        const raw = await sourceOf(mail, body, key).catch((error: unknown) => {
          // A file that could not be fetched is asked for again later; what does not open never will.
          if (error instanceof MissingBytes && !error.isGone) throw error;
          return null;
        });
        await take(state, raw === null ? null : Comlink.transfer(raw, [raw.buffer]));
      } finally {
        key?.fill(0);
      }
    }),
};
export type ReadingWorker = typeof readingWorker;

Comlink.expose(readingWorker);
