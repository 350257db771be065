/**
 * The list of messages (docs/spec-map.md 3, docs/api-conventions.md#mail): newest first, with every
 * filter alone or combined, and the total number of matches. Conversations are also sorted newest
 * first. A cursor whose message was permanently deleted, or never belonged to the caller, yields
 * not_found: the client restarts from the top.
 */
import type { Email } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { Db } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { planRanges } from './buckets.ts';
import type { Source } from './conditions.ts';
import { isImpossible, type QueryInput, readFilter } from './filter.ts';
import { byIds, type MailRow, readMails, type View } from './mail-rows.ts';
import type { CachedQuery, Cursor, QueryCache } from './query-cache.ts';
import {
  countMatches,
  countThreads,
  findCandidates,
  findCursor,
  findPlace,
  getOverview,
  nextMails,
} from './query-store.ts';
import { toWireEmail } from './wire-email.ts';

export type QueryAnswer = { data: Email[]; count: number; cache_hit: boolean };

const NOTHING: QueryAnswer = { data: [], count: 0, cache_hit: false };
/** Number of rows up to which skipping is cheaper than finding the position first. */
const SHORT_SKIP_ROWS = 200;
/** Number of messages initially examined per conversation of a page. */
const CANDIDATES_PER_ROW = 3;

/** Answers a user's query. Throws malformed, and not_found for an unknown last_id. */
export async function queryMail(
  db: Db,
  cache: QueryCache,
  userId: string,
  input: QueryInput,
): Promise<QueryAnswer> {
  const filter = readFilter(input);
  const lastId = input.last_id ?? null;
  if (lastId !== null && !isUuid(lastId)) throw new AppError('not_found');
  if (isImpossible(filter)) return NOTHING;
  const [overview, cursor] = await Promise.all([
    getOverview(db, userId, filter.tags),
    lastId === null ? null : findCursor(db, userId, lastId),
  ]);
  if (lastId !== null && cursor === null) throw new AppError('not_found');
  const ranges = planRanges(overview.buckets, filter.flags, filter.tags);
  if (ranges === null) return NOTHING;
  const source: Source = { userId, filter, ranges };
  const known = cache.open(userId, JSON.stringify(filter), overview.version);
  const start = { cursor, skip: cursor === null ? input.skip : 0 };
  const [data, counted] = await Promise.all([
    readPage(db, source, known, start, input),
    countFor(db, known, source),
  ]);
  return { data, ...counted };
}

/**
 * Returns whether the counters of the ranges already give the answer; otherwise the matches must be
 * counted.
 */
const isCounted = ({ filter, ranges }: Source): boolean =>
  ranges.otherTagIds.length === 0 &&
  filter.address === undefined &&
  filter.search === undefined &&
  filter.messageId === undefined &&
  !filter.isThreaded;

async function countFor(
  db: Db,
  known: CachedQuery,
  source: Source,
): Promise<{ count: number; cache_hit: boolean }> {
  if (isCounted(source)) return { count: source.ranges.total, cache_hit: false };
  return known.count(() => countMatches(db, source));
}

type Start = { readonly cursor: Cursor | null; readonly skip: number };

/**
 * Reduces a long skip to a cursor and a short skip, starting from the nearest known position;
 * returns null past the list's end.
 */
async function approach(
  db: Db,
  source: Source,
  known: CachedQuery,
  { cursor, skip }: Start,
): Promise<Start | null> {
  const anchor = skip === 0 ? null : known.findAnchor(skip);
  const near: Start = anchor === null ? { cursor, skip } : { ...anchor, skip: skip - anchor.offset };
  const isShort = near.skip <= (source.filter.isThreaded ? 0 : SHORT_SKIP_ROWS);
  if (isShort || source.filter.messageId !== undefined) return near;
  const place = await findPlace(db, source, near.cursor, near.skip);
  if (place === null) return null;
  known.keepAnchor({ offset: skip, cursor: place });
  return { cursor: place, skip: 0 };
}

async function readPage(
  db: Db,
  source: Source,
  known: CachedQuery,
  from: Start,
  { count, view, last_id }: QueryInput,
): Promise<Email[]> {
  const { userId, filter } = source;
  const start = await approach(db, source, known, from);
  if (start === null) return [];
  if (filter.isThreaded && filter.messageId === undefined) {
    const heads = await findThreadHeads(db, source, start.cursor, count);
    const last = heads.at(-1);
    if (last !== undefined && last_id === undefined)
      known.keepAnchor({ offset: from.skip + heads.length, cursor: last });
    const ids = heads.map(head => head.id);
    const rows = ids.length === 0 ? [] : await readMails(db, userId, byIds(userId, ids), view);
    return withThreadCounts(db, source, rows, view);
  }
  const keys = nextMails(source, start.cursor, count, start.skip);
  const rows = await readMails(db, userId, keys, view);
  return rows.map(row => toWireEmail(row, view));
}

/**
 * Returns the next conversations after a cursor, as the messages that represent them. Reads windows
 * of messages until there are enough.
 */
async function findThreadHeads(
  db: Db,
  source: Source,
  from: Cursor | null,
  count: number,
): Promise<Cursor[]> {
  const heads: Cursor[] = [];
  let cursor = from;
  let windowRows = count * CANDIDATES_PER_ROW;
  for (;;) {
    const candidates = await findCandidates(db, source, cursor, windowRows);
    heads.push(...candidates.filter(mail => mail.isNewest));
    if (heads.length >= count || candidates.length < windowRows) return heads.slice(0, count);
    cursor = candidates.at(-1) ?? null;
    windowRows *= 2;
  }
}

/**
 * Adds how many messages the conversations have, and whether any has attachments. Counts the
 * messages that share the filter's `deleted` and `draft`; when the filter does not set them, that
 * means neither deleted messages nor drafts. The count includes at least the message shown.
 */
async function withThreadCounts(
  db: Db,
  { userId, filter }: Source,
  rows: readonly MailRow[],
  view: View,
): Promise<Email[]> {
  const counts = await countThreads(
    db,
    userId,
    rows.map(row => row.thread_id),
    { deleted: filter.flags.deleted ?? false, draft: filter.flags.draft ?? false },
  );
  return rows.map(row => {
    const size = counts.get(row.thread_id);
    return {
      ...toWireEmail(row, view),
      thread_count: Math.max(1, size?.mails ?? 0),
      thread_files: size?.hasFiles ?? false,
    };
  });
}

/** Returns one message of a user with its body. Throws not_found. */
export async function getMail(db: Db, userId: string, id: string): Promise<Email> {
  const [row] = isUuid(id) ? await readMails(db, userId, byIds(userId, [id]), 'full') : [];
  if (row === undefined) throw new AppError('not_found');
  return toWireEmail(row, 'full');
}
