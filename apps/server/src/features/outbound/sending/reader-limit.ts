/**
 * How many letters one user sends to one reader outside: a plan's limits count letters and readers together, and would let all of
 * them go to one. Readers are kept as keyed digests, each by the address without its tag, for a day.
 */
import { AppError } from '@keyfold/contract/errors';
import { directoryNameOf } from '@keyfold/mail/address-form';
import {
  MESSAGES_TO_ONE_PER_DAY,
  MESSAGES_TO_ONE_PER_HOUR,
  MESSAGES_TO_ONE_WATCHED_MS,
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { addMessages } from './store.ts';

const HOUR_MS = 60 * 60_000;

/**
 * Counts a letter for each of its addresses outside, in the transaction that queues it and under the sender's mailbox lock. Throws
 * rate_limited, with which the counts go too.
 */
export async function countForReaders(
  { clock, masterKey }: Pick<Deps, 'clock' | 'masterKey'>,
  trx: Trx,
  userId: string,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  const now = clock.now().getTime();
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  // Mail to name+tag@ goes to name@ nearly everywhere: who is written to by several tags gets as many letters.
  const messages = new Map<string, number>();
  for (const reader of addresses.map(directoryNameOf)) messages.set(reader, (messages.get(reader) ?? 0) + 1);
  const counts = await addMessages(
    trx,
    userId,
    [...messages].map(([reader, count]) => ({
      digest: masterKey.digest('outside reader', userId, reader),
      count,
    })),
    new Date(hour),
    new Date(hour - MESSAGES_TO_ONE_WATCHED_MS),
  );
  const freedAt = counts.flatMap(({ this_hour, all_hours, first }) => [
    ...(this_hour > MESSAGES_TO_ONE_PER_HOUR ? [hour + HOUR_MS] : []),
    ...(all_hours > MESSAGES_TO_ONE_PER_DAY ? [first.getTime() + MESSAGES_TO_ONE_WATCHED_MS] : []),
  ]);
  if (freedAt.length === 0) return;
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil((Math.max(...freedAt) - now) / 1000)),
  });
}
