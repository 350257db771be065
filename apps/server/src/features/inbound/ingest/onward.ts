/**
 * Mail that goes on to somewhere else beside a mailbox here, as ingest is told of it. Ingest sees to it that both are stored or
 * neither, once; what goes where is features/outbound/forwarding's.
 */
import type { Trx } from '../../../db/pool.ts';

/** A message that goes on to somewhere else besides. */
export type Onward = {
  /** Whose copy it goes with; one of the recipients. */
  readonly userId: string;
  /**
   * Gives what is to be done in the transaction that stores the copy, and only when that is new; null when nothing is.
   * `isFlagged`: the reader's filters, or the scorer, hold it for spam.
   */
  readonly prepare: (isFlagged: boolean) => Promise<((trx: Trx) => Promise<void>) | null>;
};
