// Uploads the batches of a run: leaves out messages that the mailbox already has, seals the rest,
// and sends them.
import { CallError } from '@keyfold/contract/client';
import { importCalls, insist, type Patience } from './import-calls.ts';
import { placeMail } from './import-places.ts';
import type { Batch } from './import-progress.ts';
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
  type Skipped,
} from './import-types.ts';

/**
 * Number of messages sealed concurrently: while one waits for a container to be stored, another is
 * processed.
 */
const SEALED_AT_ONCE = 12;

export type BringNeeds = {
  readonly plan: ImportPlan;
  readonly door: Omit<SealDoor, 'upload'>;
  readonly listener: ImportListener;
  readonly signal: AbortSignal;
};

type Message = Parameters<typeof importCalls.seal>[0]['messages'][number];
type Sealed = { readonly mail: ReadMail; readonly message: Message };

/** Ends a run with a reason that the screen shows. */
export class Stopped extends Error {
  readonly end: ImportEnd;
  constructor(end: ImportEnd) {
    super('The import stopped');
    this.end = end;
  }
}

/** What the server accepted since the last reported step. */
export type Tally = { imported: number; here: number; bytes: number };

/**
 * Runs `work` on each item with limited concurrency and keeps their order. After a failure no
 * further item is started.
 */
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

/** Returns whether a refusal concerns the messages of a request rather than its caller. */
const isAboutMessages = (error: unknown): boolean =>
  error instanceof CallError && [400, 404, 413, 422].includes(error.status);

const skippedOf = (mail: ReadMail, reason: Skipped['reason']): Skipped => ({
  name: subjectOf(mail),
  folder: mail.item.folder.join('/'),
  reason,
  raw: new Blob([mail.item.raw]),
});

/**
 * Creates a function that seals batches: it leaves out messages that the mailbox already has, and
 * creates the tags that the others need.
 */
export function createSealer(
  { plan, listener, signal, ...needs }: BringNeeds,
  patience: Patience,
  tally: Tally,
) {
  const tags = new Map<string, string | null>();
  const before = createBroughtBefore();
  const door: SealDoor = {
    ...needs.door,
    upload: async container => {
      const file = new Blob([container]);
      return (await insist(patience, () => importCalls.container({}, { file, signal }))).data.id;
    },
  };
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

  return async (batch: Batch): Promise<readonly Sealed[]> => {
    const read = (await eachOf(batch.mails, SEALED_AT_ONCE, item => readMail(item, door))).filter(isInRange);
    const known = await knownOf(read);
    const fresh: ReadMail[] = [];
    for (const [index, mail] of read.entries()) {
      const found = before.look(await digestsOf(mail), known[index] === true);
      if (found === 'new') fresh.push(mail);
      else if (found === 'same') tally.here++;
      else batch.skipped.push(skippedOf(mail, 'other_text'));
    }
    const placed = fresh.map(placedOf);
    const folderTags = placed.flatMap(one => one.tags.slice(0, one.folderTagCount));
    await ensureTags([...folderTags, ...placed.flatMap(one => one.tags)]);
    const sealed = await eachOf(fresh, SEALED_AT_ONCE, mail => seal(mail, batch.skipped));
    return sealed.filter(one => one !== null);
  };
}

/**
 * Sends sealed messages to the server. Messages that it refuses for their content are sent
 * separately, so that the others are stored.
 */
export function createBringer({ plan, signal }: BringNeeds, patience: Patience, tally: Tally) {
  return async function bring(sealed: readonly Sealed[], skipped: Skipped[]): Promise<void> {
    if (sealed.length === 0) return;
    try {
      const messages = sealed.map(({ message }) => message);
      const { data } = await insist(patience, () =>
        importCalls.seal({ import_id: plan.importId, messages }, { signal }),
      );
      for (const [index, outcome] of data.results.entries()) {
        if (outcome === 'stored') {
          tally.imported++;
          tally.bytes += sealed[index]?.mail.item.raw.length ?? 0;
        } else if (outcome === 'here') tally.here++;
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
}
