// Contacts that an import finds, into the address book. Mail does not wait for them: what cannot be had is left out and counted.
import { CallError } from '@keyfold/contract/client';
import { rest } from '../../lib/rest.ts';
import { importRetryMs } from '../../timing.ts';
import { importCards } from '../contacts/card-files.ts';

/** A missing answer is waited for, for a while; a run that ends then can be taken up. */
const TRIES = 60;
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);
/** Refusals of what was to be kept, not of who asks. */
const final: ReadonlySet<number> = new Set([400, 409, 413, 422]);

export type BroughtCards = { readonly added: number; readonly leftOut: number };

/** Rejects where the server cannot be asked, or not any more, and with the signal's reason. */
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
