// Adds contacts found by an import to the address book. Messages do not wait for them; contacts
// that cannot be fetched are left out and counted.
import { CallError } from '@keyfold/contract/client';
import { rest } from '../../lib/rest.ts';
import { importRetryMs } from '../../timing.ts';
import { importCards } from '../contacts/card-files.ts';

/**
 * Maximum number of attempts while there is no response; an import that ends then can be resumed.
 */
const TRIES = 60;
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);
/** Status codes that reject the content, not the caller. */
const final: ReadonlySet<number> = new Set([400, 409, 413, 422]);

export type BroughtCards = { readonly added: number; readonly leftOut: number };

/** Rejects if the server is or becomes unreachable, and with the signal's reason. */
export async function bringCards(
  cards: readonly string[],
  signal: AbortSignal,
  triesLeft = TRIES,
): Promise<BroughtCards> {
  if (cards.length === 0) return { added: 0, leftOut: 0 };
  try {
    const { added, leftOut } = await importCards(cards.join(''));
    return { added, leftOut };
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    if (isTooLarge || (error instanceof CallError && final.has(error.status)))
      return { added: 0, leftOut: cards.length };
    if (!(error instanceof CallError) || !passing.has(error.status) || triesLeft <= 0) throw error;
    await rest(importRetryMs, signal);
    return bringCards(cards, signal, triesLeft - 1);
  }
}
