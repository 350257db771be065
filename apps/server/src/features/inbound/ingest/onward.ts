/**
 * Interface for mail that is also forwarded elsewhere. Ingest ensures that the local copy and the
 * forward are both stored or neither, once; features/outbound/forwarding decides what goes where.
 */
import type { Trx } from '../../../db/pool.ts';

/** A message that is also forwarded elsewhere. */
export type Onward = {
  /** The user whose copy is forwarded; one of the recipients. */
  readonly userId: string;
  /**
   * Returns the work for the transaction that stores the copy, run only when the copy is new; null
   * when there is none. `isFlagged`: the reader's filters, or the scorer, consider it spam.
   */
  readonly prepare: (isFlagged: boolean) => Promise<((trx: Trx) => Promise<void>) | null>;
};
