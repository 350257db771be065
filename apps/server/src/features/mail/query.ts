/**
 * The list of mail (Spec §3 query parameters, api.md /user/query): newest first, every filter alone and with others,
 * with the number of all that match. Newest first also holds for a conversation. A cursor whose mail was removed for
 * good, or never was the caller's, is not_found: the client starts again from the top.
 */
import type { Email } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { isUuid } from '../../db/uuid.ts';
import type { Deps } from '../../deps.ts';
import { hasFlag, toMask } from '../mailbox/flags.ts';
import { planRanges } from './buckets.ts';
import type { CountCache } from './count-cache.ts';
import { isImpossible, type MailFilter, type QueryInput, readFilter } from './filter.ts';
import {
  countMatches,
  countThreads,
  findContainers,
  findMail,
  findPage,
  findTagNames,
  getOverview,
  type MailRow,
  type Source,
} from './query-store.ts';
import { toWireEmail } from './wire-email.ts';

export type QueryAnswer = { data: Email[]; count: number; cache_hit: boolean };

const NOTHING: QueryAnswer = { data: [], count: 0, cache_hit: false };

/** Answers a query of a user. Throws malformed, and not_found for an unknown last_id. */
export const queryMail = async (
  deps: Pick<Deps, 'db'>,
  cache: CountCache,
  userId: string,
  input: QueryInput,
): Promise<QueryAnswer> => {
  const filter = readFilter(input);
  const lastId = input.last_id ?? null;
  if (lastId !== null && !isUuid(lastId)) throw new AppError('not_found');
  if (isImpossible(filter)) return NOTHING;
  const overview = await getOverview(deps.db, userId, filter.tags, lastId);
  if (lastId !== null && overview.cursor === null) throw new AppError('not_found');
  const ranges = planRanges(overview.buckets, filter.flags, filter.tags);
  if (ranges === null) return NOTHING;
  const source: Source = { userId, filter, ranges, messageId: filter.messageId };
  const position = {
    cursor: overview.cursor,
    skip: overview.cursor === null ? input.skip : 0,
    count: input.count,
  };
  const [rows, counted] = await Promise.all([
    findPage(deps.db, source, position, input.view === 'full'),
    countFor(deps.db, cache, source, overview.version),
  ]);
  return { data: await toEmails(deps.db, userId, filter, rows, input.view), ...counted };
};

/** Whether the counters of the ranges are the answer; else something has to be counted. */
const isCounted = ({ filter, ranges, messageId }: Source): boolean =>
  ranges.otherTagIds.length === 0 &&
  filter.address === undefined &&
  filter.search === undefined &&
  messageId === undefined &&
  !filter.isThreaded;

const countFor = async (
  db: Deps['db'],
  cache: CountCache,
  source: Source,
  version: number,
): Promise<{ count: number; cache_hit: boolean }> => {
  if (isCounted(source)) return { count: source.ranges.total, cache_hit: false };
  const key = JSON.stringify(source.filter);
  const kept = cache.find(source.userId, key, version);
  if (kept !== null) return { count: kept, cache_hit: true };
  const count = await countMatches(db, source);
  cache.keep(source.userId, key, version, count);
  return { count, cache_hit: false };
};

/**
 * How many mails the conversations have: those that share the filter's `deleted` and `draft`, which without a word of
 * the filter means neither deleted nor drafts. At least the one that is shown.
 */
const threadCounts = (
  db: Deps['db'],
  userId: string,
  { flags }: MailFilter,
  rows: readonly MailRow[],
): Promise<ReadonlyMap<string, number>> =>
  countThreads(
    db,
    userId,
    rows.map(row => row.thread_id),
    toMask({ deleted: true, draft: true }),
    toMask({ deleted: flags.deleted ?? false, draft: flags.draft ?? false }),
  );

const toEmails = async (
  db: Deps['db'],
  userId: string,
  filter: MailFilter | null,
  rows: readonly MailRow[],
  view: 'full' | 'summary',
): Promise<Email[]> => {
  if (rows.length === 0) return [];
  const ids = rows.map(row => row.id);
  const withContainers = rows.filter(row => hasFlag(row.flags, 'attachment')).map(row => row.id);
  const standsForThread = filter?.isThreaded === true && filter.messageId === undefined;
  const [containers, tags, threads] = await Promise.all([
    withContainers.length === 0 ? null : findContainers(db, userId, withContainers),
    findTagNames(db, userId, ids),
    filter !== null && standsForThread ? threadCounts(db, userId, filter, rows) : null,
  ]);
  return rows.map(row =>
    toWireEmail(row, view, {
      tags: (tags.get(row.id) ?? []).map(tag => tag.name),
      attachments: (containers?.get(row.id) ?? []).map(one => ({ id: one.blob_id, size: one.size_bytes })),
      threadCount: standsForThread ? Math.max(1, threads?.get(row.thread_id) ?? 0) : undefined,
    }),
  );
};

/** One mail of a user with its body. Throws not_found. */
export const getMail = async (deps: Pick<Deps, 'db'>, userId: string, id: string): Promise<Email> => {
  const row = isUuid(id) ? await findMail(deps.db, userId, id) : null;
  const [mail] = row === null ? [] : await toEmails(deps.db, userId, null, [row], 'full');
  if (mail === undefined) throw new AppError('not_found');
  return mail;
};
