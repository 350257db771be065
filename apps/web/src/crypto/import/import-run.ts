// One run of an import: reads, leaves out what the mailbox has, seals, and brings batches to the server, one under way while
// the next is sealed. What was dealt with is told only after the server has it, so that a run can be taken up from there.
import { CallError } from '@keyfold/contract/client';
import { ImportError } from '@keyfold/import/errors';
import type { ImportItem, MailItem } from '@keyfold/import/items';
import { importCalls, insist, type Patience } from './import-calls.ts';
import type { OpenedFiles } from './import-files.ts';
import { placeMail } from './import-places.ts';
import {
  digestsOf,
  identityOf,
  type ReadMail,
  readMail,
  type SealDoor,
  sealImported,
  subjectOf,
  TooLarge,
} from './import-seal.ts';
import { createBroughtBefore } from './import-seen.ts';
import {
  folderKey,
  type ImportEnd,
  type ImportListener,
  type ImportPlan,
  type ImportStart,
  type Skipped,
} from './import-types.ts';

/** A batch is closed at so many mails, or bytes of them, or things looked at. */
const BATCH_MAILS = 100;
const BATCH_BYTES = 6 * 1024 * 1024;
const BATCH_LOOKED_AT = 1_000;
const SKIPPED_NAME_MAX = 200;
/** Mails that are sealed at one time: while one waits for a container to be stored, another is worked at. */
const SEALED_AT_ONCE = 12;

export type RunNeeds = {
  readonly files: OpenedFiles;
  readonly plan: ImportPlan;
  readonly door: Omit<SealDoor, 'upload'>;
  readonly listener: ImportListener;
  readonly signal: AbortSignal;
  /** Resolves when the run may go on. */
  readonly gate: () => Promise<void>;
};

type Message = Parameters<typeof importCalls.seal>[0]['messages'][number];
type Batch = {
  readonly mails: MailItem[];
  readonly skipped: Skipped[];
  readonly cards: string[];
  bytes: number;
  lookedAt: number;
};
type Sealed = { readonly mail: ReadMail; readonly message: Message };

/** Ends a run with a reason that the screen shows. */
class Stopped extends Error {
  readonly end: ImportEnd;
  constructor(end: ImportEnd) {
    super('The import stopped');
    this.end = end;
  }
}

const emptyBatch = (): Batch => ({ mails: [], skipped: [], cards: [], bytes: 0, lookedAt: 0 });

/** Does work on each, some at a time, and keeps their order. Where one fails, none is begun any more. */
async function eachOf<T, R>(list: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(list.length);
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const at = next++;
      try {
        results[at] = await work(list[at] as T);
      } catch (error) {
        next = list.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
  return results;
}

/** Refusals that are about the messages of a call, not about who calls. */
const isAboutMessages = (error: unknown): boolean =>
  error instanceof CallError && [400, 404, 413, 422].includes(error.status);

/** Runs an import to its end. Rejects never. */
export async function runImport(needs: RunNeeds): Promise<ImportEnd> {
  const { files, plan, listener, signal, gate } = needs;
  const patience: Patience = { signal, onWaiting: listener.onWaiting };
  const tags = new Map<string, string | null>();
  const before = createBroughtBefore();
  let freshImported = 0;
  let freshHere = 0;
  let freshBytes = 0;

  const door: SealDoor = {
    ...needs.door,
    upload: async container => {
      const file = new Blob([container]);
      return (await insist(patience, () => importCalls.container({}, { file, signal }))).data.id;
    },
  };
  const skippedOf = (mail: ReadMail, reason: Skipped['reason']): Skipped => ({
    name: subjectOf(mail),
    folder: mail.item.folder.join('/'),
    reason,
    raw: new Blob([mail.item.raw]),
  });
  const isInRange = ({ receivedAt }: ReadMail): boolean => {
    const at = Date.parse(receivedAt);
    return (plan.from === null || at >= plan.from) && (plan.until === null || at < plan.until);
  };
  const knownOf = async (mails: readonly ReadMail[]): Promise<readonly boolean[]> => {
    if (mails.length === 0) return [];
    const messages = mails.map(identityOf);
    return (await insist(patience, () => importCalls.known({ messages }, { signal }))).data.known;
  };
  const ensureTags = async (names: readonly string[]): Promise<void> => {
    const missing = [...new Set(names)].filter(name => !tags.has(name));
    if (missing.length === 0) return;
    const made = await listener.ensureTags(missing);
    for (const [index, name] of missing.entries()) tags.set(name, made[index] ?? null);
  };
  const placedOf = ({ item }: ReadMail) => placeMail(item, plan.places[folderKey(item.folder)] ?? 'inbox');
  const seal = async (mail: ReadMail, skipped: Skipped[]): Promise<Sealed | null> => {
    const placed = placedOf(mail);
    try {
      const { hasAttachments, attachments, ...rest } = await sealImported(mail, door);
      const named = placed.tags.flatMap(name => tags.get(name) ?? []);
      return {
        mail,
        message: {
          ...rest,
          attachments: [...attachments],
          flags: { ...placed.flags, attachment: hasAttachments },
          tags: [...new Set(named)],
        },
      };
    } catch (error) {
      if (error instanceof CallError && error.code === 'quota_exceeded')
        throw new Stopped({ kind: 'full', missingBytes: mail.item.raw.length });
      if (error instanceof TooLarge) skipped.push(skippedOf(mail, 'too_large'));
      else if (isAboutMessages(error)) skipped.push(skippedOf(mail, 'refused'));
      else throw error;
      return null;
    }
  };
  /** Brings messages to the server; those it refuses for what they are go alone, so that the others get there. */
  const bring = async (sealed: readonly Sealed[], skipped: Skipped[]): Promise<void> => {
    if (sealed.length === 0) return;
    try {
      const messages = sealed.map(({ message }) => message);
      const { data } = await insist(patience, () =>
        importCalls.seal({ import_id: plan.importId, messages }, { signal }),
      );
      for (const [index, outcome] of data.results.entries()) {
        if (outcome === 'stored') {
          freshImported++;
          freshBytes += sealed[index]?.mail.item.raw.length ?? 0;
        } else if (outcome === 'here') freshHere++;
      }
      if (data.results.includes('full'))
        throw new Stopped({ kind: 'full', missingBytes: data.missing_bytes });
    } catch (error) {
      if (!isAboutMessages(error)) throw error;
      const [first] = sealed;
      if (sealed.length === 1 && first !== undefined) skipped.push(skippedOf(first.mail, 'refused'));
      else for (const one of sealed) await bring([one], skipped);
    }
  };
  const sealBatch = async (batch: Batch): Promise<readonly Sealed[]> => {
    const read = (await eachOf(batch.mails, SEALED_AT_ONCE, item => readMail(item, door))).filter(isInRange);
    const known = await knownOf(read);
    const fresh: ReadMail[] = [];
    for (const [index, mail] of read.entries()) {
      const found = before.look(await digestsOf(mail), known[index] === true);
      if (found === 'new') fresh.push(mail);
      else if (found === 'same') freshHere++;
      else batch.skipped.push(skippedOf(mail, 'other_text'));
    }
    const placed = fresh.map(placedOf);
    const folderTags = placed.flatMap(({ tags, folderTagCount }) => tags.slice(0, folderTagCount));
    await ensureTags([...folderTags, ...placed.flatMap(one => one.tags)]);
    const sealed = await eachOf(fresh, SEALED_AT_ONCE, mail => seal(mail, batch.skipped));
    return sealed.filter(one => one !== null);
  };

  let done = 0;
  /** The last thing so far with which a reading can begin. */
  let start: ImportStart | null = null;
  let under: Promise<void> = Promise.resolve();
  const flush = async (batch: Batch): Promise<void> => {
    const upTo = done;
    const upToStart = start;
    const share = files.share();
    const sealed = await sealBatch(batch);
    await under;
    await gate();
    signal.throwIfAborted();
    under = (async () => {
      const step = async () => {
        const [imported, here, bytes] = [freshImported, freshHere, freshBytes];
        [freshImported, freshHere, freshBytes] = [0, 0, 0];
        await listener.onStep({
          done: upTo,
          start: upToStart,
          share,
          imported,
          here,
          bytes,
          skipped: batch.skipped,
          cards: batch.cards,
        });
      };
      await bring(sealed, batch.skipped);
      await step();
    })();
    // Awaited with the next batch, or at the end.
    under.catch(() => undefined);
  };
  const add = (batch: Batch, item: ImportItem): void => {
    batch.lookedAt++;
    if (item.kind === 'contact') {
      batch.cards.push(item.vcard);
      batch.bytes += item.vcard.length;
    } else if (item.kind === 'mail') {
      batch.mails.push(item);
      batch.bytes += item.raw.length;
    } else {
      batch.bytes += item.raw?.length ?? 0;
      batch.skipped.push({
        name: item.name.slice(0, SKIPPED_NAME_MAX),
        folder: item.folder.join('/'),
        reason: item.kind === 'removed' ? 'removed' : item.reason,
        ...(item.raw === undefined ? {} : { raw: new Blob([item.raw]) }),
      });
    }
  };

  try {
    let batch = emptyBatch();
    const isWanted = (folder: readonly string[]) => plan.places[folderKey(folder)] !== undefined;
    const planned = plan.start ?? null;
    let isFirst = true;
    let stepOver = plan.done;
    for await (const { item, file } of files.items({ isWanted, signal }, planned)) {
      if (isFirst && planned !== null) {
        // Where the file has no such thing any more nothing is stepped over: what the mailbox has it does not get again.
        if (planned.file === file && planned.key === item.key) done = planned.done;
        else stepOver = 0;
      }
      isFirst = false;
      if (item.canBegin) start = { file, key: item.key, done, share: files.share() };
      done++;
      if (done <= stepOver) continue;
      await gate();
      signal.throwIfAborted();
      add(batch, item);
      const isFull =
        batch.mails.length >= BATCH_MAILS || batch.bytes >= BATCH_BYTES || batch.lookedAt >= BATCH_LOOKED_AT;
      if (!isFull) continue;
      await flush(batch);
      batch = emptyBatch();
    }
    await flush(batch);
    await under;
    return { kind: 'done' };
  } catch (error) {
    await under.catch(() => undefined);
    if (signal.aborted) return { kind: 'cancelled' };
    if (error instanceof Stopped) return error.end;
    if (error instanceof ImportError) return { kind: 'file', text: error.code };
    return { kind: 'call', text: error instanceof CallError ? error.message : '' };
  }
}
