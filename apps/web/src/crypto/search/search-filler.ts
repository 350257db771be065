// Reads the messages that the index lacks, newest first, and removes those that are no longer in
// the mailbox. Missing messages are found by comparing IDs with the server's list, so that it does
// not matter where a killed tab stopped, what another device indexed meanwhile, or in which order
// messages arrived.
import { leftOutOf } from '@keyfold/contract/rows';
import type { Reading } from '../reading/reading.ts';
import { mailClient } from '../reading/search-calls.ts';
import type { SearchKeeper } from './search-keeper.ts';

/**
 * Number of messages requested and opened at once: few enough to let the user's own work run in
 * between.
 */
const MAILS_AT_ONCE = 10;
/**
 * Number of messages read before a segment is built from them: the most that a killed tab loses.
 */
const MAILS_PER_SEGMENT = 100;
/** Number of IDs in the first page, enough to find recent messages, and in each further page. */
const FIRST_PAGE = 200;
const FURTHER_PAGE = 5_000;

export type FillProgress = {
  /** Messages in the mailbox, and those of them that can be found by their text. */
  readonly total: number;
  readonly indexed: number;
  /**
   * Arrival time of the oldest message up to which the index is complete, in ms; null when unknown.
   */
  readonly since: number | null;
  readonly isComplete: boolean;
};

export type Filling = {
  readonly keeper: SearchKeeper;
  readonly reading: Reading;
  /** Messages whose texts can be read better now than when they were indexed. */
  readonly again?: readonly string[];
  /** Waits while the tab should stay idle; rejects when the work is canceled. */
  readonly rest: () => Promise<void>;
  readonly onProgress: (progress: FillProgress) => void;
};

const secondsOf = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** Drafts keep their ID when they change: those with a different time are read again. */
async function staleDrafts({ keeper }: Filling): Promise<string[]> {
  const { data } = await mailClient.query({ draft: true, view: 'summary' });
  return data
    .filter(mail => keeper.index.findMail(mail.id) !== secondsOf(mail.received_at))
    .map(mail => mail.id);
}

/**
 * Returns the messages to read again, with the time they were indexed under, in seconds. Of two
 * versions with the same time the first one counts, here and on every device that gets the
 * segments: so the new version is one second newer.
 */
const indexedAt = ({ keeper, again = [] }: Filling): ReadonlyMap<string, number> =>
  new Map(
    again.flatMap(id => {
      const at = keeper.index.findMail(id);
      return at === null ? [] : [[id, at] as const];
    }),
  );

/** Removes permanently deleted messages from the index, including the bytes of their segments. */
async function removeGone({ index, merge }: SearchKeeper, seen: ReadonlySet<string>): Promise<void> {
  const touched = new Set<string>();
  for (const id of [...index.ids()]) {
    const uid = seen.has(id) ? null : index.remove(id);
    if (uid !== null) touched.add(uid);
  }
  for (const uid of touched) await merge([uid]);
}

/**
 * Runs one pass. A whole pass checks every ID and ends with an index that has all messages and no
 * others; a short pass stops at the first page where nothing is missing.
 */
export async function fill(filling: Filling, isWhole: boolean): Promise<void> {
  const { keeper, reading, rest, onProgress } = filling;
  const { index } = keeper;
  const flush = async (): Promise<void> => {
    const bytes = await reading.finish();
    if (bytes === null) return;
    await keeper.addSegment(bytes);
    await keeper.tidy();
  };
  let total = 0;
  let since: number | null = null;
  const tell = (isComplete: boolean): void =>
    onProgress({ total, indexed: Math.min(total, index.mailCount()), since, isComplete });
  const read = async (ids: readonly string[], newerThan?: ReadonlyMap<string, number>): Promise<void> => {
    for (let at = 0; at < ids.length; at += MAILS_AT_ONCE) {
      await rest();
      const started = performance.now();
      const oldest = await reading.add(ids.slice(at, at + MAILS_AT_ONCE), newerThan);
      since = Math.min(since ?? Date.now(), oldest * 1000);
      // The first messages become searchable immediately.
      if (reading.added() >= MAILS_PER_SEGMENT || index.mailCount() < MAILS_PER_SEGMENT) await flush();
      tell(false);
      // Leaves a share of the time to the rest of the tab.
      await new Promise(resolve => setTimeout(resolve, Math.min(250, (performance.now() - started) / 2)));
    }
  };
  try {
    await read(await staleDrafts(filling));
    const indexed = indexedAt(filling);
    await read([...indexed.keys()], indexed);
    const seen = new Set<string>();
    let lastId: string | undefined;
    let leftOut = 0;
    for (;;) {
      await rest();
      const count = lastId === undefined ? FIRST_PAGE : FURTHER_PAGE;
      const page = await mailClient.ids({
        count,
        ...(lastId === undefined ? {} : { last_id: lastId }),
      });
      total = page.count;
      for (const [id] of page.data) seen.add(id);
      const missing = page.data.filter(([id]) => index.findMail(id) === null).map(([id]) => id);
      await read(missing);
      for (const [, at] of page.data) since = Math.min(since ?? Date.now(), Date.parse(at));
      tell(false);
      lastId = page.data.at(-1)?.[0];
      leftOut += leftOutOf(page.data);
      if (lastId === undefined || page.data.length + leftOutOf(page.data) < count) {
        await flush();
        // A message whose ID could not be read may still exist.
        if (leftOut === 0) await removeGone(keeper, seen);
        tell(true);
        return;
      }
      if (!isWhole && missing.length === 0 && index.mailCount() >= total) {
        tell(true);
        return;
      }
    }
  } finally {
    await flush();
  }
}
