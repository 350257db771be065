/**
 * Limits how many messages one user sends to one external recipient. A plan's limits count messages
 * and recipients as totals, and would allow all of them to go to one person. Recipients are stored
 * for a day as keyed digests of the address without its tag.
 */
import { AppError } from '@keyfold/contract/errors';
import { directoryNameOf } from '@keyfold/mail/address-form';
import {
  MESSAGES_TO_ONE_PER_DAY,
  MESSAGES_TO_ONE_PER_HOUR,
  MESSAGES_TO_ONE_WATCHED_MS,
} from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { addMessages } from './store.ts';

const HOUR_MS = 60 * 60_000;

/**
 * Counts a message for each of its external addresses, in the transaction that queues it and under
 * the sender's mailbox lock. Throws rate_limited, which also rolls the counts back.
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
  // Nearly everywhere, mail to name+tag@ goes to name@. A message to several tags therefore counts
  // once per tag for that reader.
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
