// The reading worker: fetches, opens and parses whole messages, and builds segments of the search
// index from them. Reading a mailbox produces garbage many times its size, and a heap that has
// grown does not shrink; so this worker is terminated after about a hundred messages (reading.ts)
// to free its memory. It sees only the keys of single messages.
import type { Email } from '@keyfold/contract';
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { bindingOf, decodeBase64, openWithMessageKey } from '@keyfold/crypto/message';
import { type ParsedMessage, parseHeadersOnly, parseMessage } from '@keyfold/mail/mime/parse';
import { assembleRaw } from '@keyfold/mail/mime/stored-headers';
import { createBuilder, type IndexedMail } from '@keyfold/search/index';
import * as Comlink from 'comlink';
import { openMailSource, underSentId } from '../mail/mail-source.ts';
import { serveWorker } from '../worker/serve-worker.ts';
import { createContainerOpener } from './container-opener.ts';
import { type ExportedState, sha256Hex } from './exported-mail.ts';
import type { MailSource, TakeSources } from './reading.ts';
import { fetchContainer, MissingBytes, mailClient } from './search-calls.ts';
import type { ReadingPort } from './search-keys.ts';
import { type FetchFile, indexedMail } from './search-texts.ts';

let keys: Comlink.Remote<ReadingPort> | null = null;
let builder = createBuilder();
const containers = createContainerOpener();

/**
 * Yields messages with bodies by their IDs, in order, in groups: a page whose bodies are too large
 * for one answer is requested message by message, each after `beforeOne`, so that none waits in
 * memory for the others.
 */
async function* fetchWhole(
  ids: readonly string[],
  beforeOne: () => Promise<void> = async () => undefined,
): AsyncGenerator<Email[]> {
  const { data } = await mailClient.some({ ids: [...ids], view: 'full' });
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
    await beforeOne();
    yield (await mailClient.some({ ids: [mail.id], view: 'full' })).data;
  }
  if (together.length > 0) yield together;
}

async function parse(mail: Email, body: Uint8Array, key: Uint8Array | null): Promise<ParsedMessage> {
  try {
    if (mail.alert) return await parseMessage(assembleRaw(mail.headers, body));
    if (key === null) throw new Error('Failed to decrypt message');
    return await parseMessage(assembleRaw(mail.headers, await openWithMessageKey(body, key)));
  } catch {
    // A message that does not open is indexed by its readable headers.
    return parseHeadersOnly(new TextEncoder().encode(mail.headers));
  } finally {
    key?.fill(0);
  }
}

type WholeMail = { readonly mail: Email; readonly body: Uint8Array; readonly key: Uint8Array | null };

/** Returns the messages with their decoded bodies and the keys of these. */
async function openKeys(mails: readonly Email[]): Promise<WholeMail[]> {
  const bodies = mails.map(({ body }) => decodeBase64(body ?? ''));
  const wraps = await Promise.all(
    mails.map(async ({ ciphertext, encrypted_key, dh_public, salt, key_used }, at) => ({
      wrap: { ciphertext, encrypted_key, dh_public, salt, key_used },
      // Computed here, never taken from the server: the key opens for this body only.
      binding: await bindingOf(bodies[at] as Uint8Array),
    })),
  );
  const opened = (await keys?.openKeys(wraps)) ?? [];
  return mails.map((mail, at) => ({ mail, body: bodies[at] as Uint8Array, key: opened[at] ?? null }));
}

const fetchFile: FetchFile = async ({ externalId, key }) =>
  openWholeAttachment(decodeBase64(key), await fetchContainer(externalId));

/** Fetches and opens messages, and passes on the text to index. */
async function eachMail(ids: readonly string[], take: (mail: IndexedMail) => void): Promise<void> {
  try {
    for await (const mails of fetchWhole(ids))
      for (const { mail, body, key } of await openKeys(mails))
        take(
          await indexedMail(mail, await parse(mail, body, key), {
            fetchFile,
            openContainer: containers.open,
          }),
        );
  } finally {
    // An idle worker would use memory until this one is terminated, and debuggers would still list
    // it after that.
    containers.rest();
  }
}

const stateOf = ({
  alert,
  archived,
  deleted,
  draft,
  flagged,
  read,
  received_at,
  sent,
  starred,
  tags,
}: Email) =>
  ({
    alert,
    archived,
    deleted,
    draft,
    flagged,
    read,
    received_at,
    sent,
    starred,
    tags,
  }) satisfies ExportedState;

async function readSource(whole: WholeMail): Promise<MailSource> {
  const { mail, key } = whole;
  try {
    const opened = await openMailSource(whole, fetchContainer);
    const raw = underSentId(opened, mail.message_id) as Uint8Array<ArrayBuffer>;
    return { id: mail.id, state: stateOf(mail), source: { raw, sha256Hex: await sha256Hex(raw) } };
  } catch (error) {
    // A failed download is retried later; retrying cannot help a message that does not open.
    if (error instanceof MissingBytes && !error.isGone) throw error;
    return { id: mail.id, state: stateOf(mail), source: null };
  } finally {
    key?.fill(0);
  }
}

/** Maximum bytes of messages opened in parallel; a larger message is opened alone. */
const TOGETHER_BYTES = 2 * 1024 * 1024;

/** Returns the approximate memory that a message and its files need. */
const weightOf = ({ body, attachments }: Email): number =>
  attachments.reduce((sum, { size }) => sum + size, body?.length ?? 0);

/** Yields the messages in order, grouped by size. */
function* groupsOf(mails: readonly Email[]): Generator<Email[]> {
  let [group, weight]: [Email[], number] = [[], 0];
  for (const mail of mails) {
    const own = weightOf(mail);
    if (group.length > 0 && weight + own > TOGETHER_BYTES) {
      yield group;
      [group, weight] = [[], 0];
    }
    group.push(mail);
    weight += own;
  }
  if (group.length > 0) yield group;
}

const readingWorker = {
  /** `portToKeys` connects to the key worker. */
  start: (portToKeys: MessagePort): void => {
    keys = Comlink.wrap<ReadingPort>(portToKeys);
  },
  /**
   * Adds messages to the current segment; returns the arrival time of the oldest one, in seconds.
   */
  add: async (ids: readonly string[], newerThan?: ReadonlyMap<string, number>): Promise<number> => {
    let oldest = Number.POSITIVE_INFINITY;
    await eachMail(ids, mail => {
      const before = newerThan?.get(mail.id);
      builder.add(before === undefined ? mail : { ...mail, at: Math.max(mail.at, before + 1) });
      oldest = Math.min(oldest, mail.at);
    });
    return oldest;
  },
  /** Returns the segment of the added messages, or null when there are none. */
  finish: (uid: Uint8Array): Uint8Array | null => {
    const made = builder;
    builder = createBuilder();
    if (made.docCount() === 0) return null;
    const bytes = made.finish(uid);
    return Comlink.transfer(bytes, [bytes.buffer]);
  },
  /** Returns the texts of messages. */
  texts: async (ids: readonly string[]): Promise<IndexedMail[]> => {
    const read: IndexedMail[] = [];
    await eachMail(ids, mail => read.push(mail));
    return read;
  },
  /**
   * Hands over messages byte for byte, in groups, and waits each time until they are accepted. A
   * large message is not opened before its turn. Rejects while the server is unreachable.
   */
  sources: async (ids: readonly string[], take: TakeSources): Promise<void> => {
    for await (const mails of fetchWhole(ids, () => take([])))
      for (const group of groupsOf(mails)) {
        if (group.length === 1 && group.some(mail => weightOf(mail) > TOGETHER_BYTES)) await take([]);
        const read = await Promise.all((await openKeys(group)).map(readSource));
        const buffers = read.flatMap(({ source }) => (source === null ? [] : [source.raw.buffer]));
        await take(Comlink.transfer(read, [...new Set(buffers)]));
      }
  },
};
export type ReadingWorker = typeof readingWorker;

serveWorker(readingWorker);
