/**
 * What an import reads from, a file or a mailbox at another provider: each gives one thing after the other, and says why it
 * cannot go on. What becomes of the things, and of turns and time, is the runner's.
 */
import type { BrokenReason } from '@keyfold/import/items';
import type { ImportKind } from '../../../db/import-tables.ts';
import type { ImportedMessage } from '../../inbound/ingest/index.ts';
import type { ServerImport } from './store.ts';

export type FolderPath = readonly string[];

export type SourceMail = {
  readonly kind: 'mail';
  /** Where reading goes on behind it. */
  readonly key: string;
  readonly raw: Uint8Array;
  readonly receivedAt: Date | null;
  readonly flags: ImportedMessage['flags'];
  /** Folders whose names it gets as tags, when its owner wants that. */
  readonly folders: readonly FolderPath[];
  /** Recognises it within this import. */
  readonly receiptDigest: Buffer;
};

/** What is not brought in: since it is no mail or is gone, or since it cannot be read. */
export type SourceRest =
  | { readonly kind: 'skipped'; readonly key: string }
  | { readonly kind: 'failed'; readonly key: string; readonly reason: BrokenReason };

export type SourceItem = SourceMail | SourceRest;

/** The import cannot go on; `code` says why. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
  readonly code: string;

  constructor(code: string) {
    super('The import cannot go on');
    this.code = code;
  }
}

/** The import waits without having ended, milliseconds: for its next turn, its owner, or a server that is away. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly ms: number;

  constructor(ms: number) {
    super('The import waits');
    this.ms = ms;
  }
}

/** One turn of an import: what is known of it, and where its things go. */
export type Turn = {
  readonly job: ServerImport;
  readonly signal: AbortSignal;
  /** The last thing that was dealt with, and how many were. */
  readonly lastKey: () => string | null;
  readonly processed: () => number;
  /** Interruptions that are counted. */
  readonly deaths: () => number;
  /** What had to be brought here first is here: the turn is counted from now on. */
  readonly begin: () => void;
  /** Brings a thing in, or notes what became of it. Throws what ends the turn. */
  readonly take: (item: SourceItem) => Promise<void>;
  /** Notes what changed, and moves the lease on. Throws when the import is not ours any more. */
  readonly note: (change: {
    readonly total?: number;
    readonly deaths?: number;
    readonly secretSealed?: Buffer;
  }) => Promise<void>;
};

export type ImportSource = {
  readonly kind: ImportKind;
  /** Reads on behind what was dealt with, to the end. Throws SourceRefused, Postponed, and what `take` throws. */
  readonly read: (turn: Turn) => Promise<void>;
  /** What happens while its owner is suspended: it waits, or ends. */
  readonly whileSuspended: () => Error;
  /** How long one import is read in all, milliseconds. */
  readonly readingMs: (job: ServerImport) => number;
  /** How long one turn is, and whether it ends when nobody waits. */
  readonly turnMs: number;
  readonly isTurnFirm: boolean;
  /** Whether a message that was brought in makes earlier interruptions forgotten. */
  readonly isForgiving: boolean;
  /** Removes what lies outside of the import's row. */
  readonly forget: (id: string) => Promise<void>;
};
