/**
 * Source of an import, a file or a mailbox at another provider. A source returns one item after the
 * other and says why it cannot continue. The runner handles items, turns and time.
 */
import type { BrokenReason } from '@keyfold/import/items';
import type { ImportKind } from '../../../db/import-tables.ts';
import type { ImportedMessage } from '../../inbound/ingest/index.ts';
import type { ServerImport } from './store.ts';

export type FolderPath = readonly string[];

export type SourceMail = {
  readonly kind: 'mail';
  /** Position after which reading resumes. */
  readonly key: string;
  readonly raw: Uint8Array;
  readonly receivedAt: Date | null;
  readonly flags: ImportedMessage['flags'];
  /** Folders whose names become its tags, if the owner wants that. */
  readonly folders: readonly FolderPath[];
  /** Identifies the message within this import. */
  readonly receiptDigest: Buffer;
};

/** Item that is not imported: it is no message, is gone, or cannot be read. */
export type SourceRest =
  | { readonly kind: 'skipped'; readonly key: string }
  | { readonly kind: 'failed'; readonly key: string; readonly reason: BrokenReason };

export type SourceItem = SourceMail | SourceRest;

/** The import cannot continue; `code` says why. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
  readonly code: string;

  constructor(code: string) {
    super('The import cannot continue');
    this.code = code;
  }
}

/**
 * The import pauses for this many milliseconds: until its next turn, its owner's return, or the end
 * of an outage.
 */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly ms: number;

  constructor(ms: number) {
    super('The import is waiting');
    this.ms = ms;
  }
}

/** One turn of an import: its state, and the receiver of its items. */
export type Turn = {
  readonly job: ServerImport;
  readonly signal: AbortSignal;
  /** Last processed item, and the number of processed items. */
  readonly lastKey: () => string | null;
  readonly processed: () => number;
  /** Number of counted interruptions. */
  readonly deaths: () => number;
  /** Starts the clock of the turn, after any file has been fetched. */
  readonly begin: () => void;
  /** Imports an item, or records its outcome. Throws the error that ends the turn. */
  readonly take: (item: SourceItem) => Promise<void>;
  /** Records changes and renews the lease. Throws when this process no longer holds the import. */
  readonly note: (change: {
    readonly total?: number;
    readonly deaths?: number;
    readonly secretSealed?: Buffer;
  }) => Promise<void>;
};

export type ImportSource = {
  readonly kind: ImportKind;
  /**
   * Reads from the recorded position to the end. Throws SourceRefused, Postponed, and the errors of
   * `take`.
   */
  readonly read: (turn: Turn) => Promise<void>;
  /** Returns the error thrown while the owner is suspended: the import waits or ends. */
  readonly whileSuspended: () => Error;
  /** Maximum total reading time of an import, in milliseconds. */
  readonly readingMs: (job: ServerImport) => number;
  /** Length of a turn, and whether it also ends when no other import waits. */
  readonly turnMs: number;
  readonly isTurnFirm: boolean;
  /** Whether a successfully imported message resets the count of interruptions. */
  readonly isForgiving: boolean;
  /** Deletes data stored outside of the import's row. */
  readonly forget: (id: string) => Promise<void>;
};
