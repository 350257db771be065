// Types exchanged between the import worker and the page. Names and subjects in them are plaintext,
// only for the screen and for data that is sealed.
import type { BrokenReason } from '@keyfold/import/items';

/**
 * Where the mail of a folder goes: one of the places that every user has, or a tag of the folder's
 * name in the archive.
 */
export const importPlaces = ['inbox', 'archive', 'sent', 'drafts', 'spam', 'deleted', 'tag'] as const;
export type ImportPlace = (typeof importPlaces)[number];

export type ImportFolder = {
  readonly path: readonly string[];
  /** null when only reading the file would reveal it. */
  readonly count: number | null;
  /** The place suggested by its name. */
  readonly place: ImportPlace;
};

/** The files, read far enough to choose folders. */
export type OpenedImport = {
  readonly folders: readonly ImportFolder[];
  /**
   * Names of files with an unsupported format or damage, with a reason code: `contacts` contains no
   * mail.
   */
  readonly refused: readonly { readonly name: string; readonly why: string }[];
};

/** An item from which a run can resume without reading the items before it. */
export type ImportStart = {
  /** Number of its file among the chosen files. */
  readonly file: number;
  readonly key: string;
  /** Number of items before it. */
  readonly done: number;
  /** Fraction of the files that was read, 0 to 1. */
  readonly share: number;
};

export type ImportPlan = {
  readonly importId: string;
  /** The chosen folders, keyed by their paths as JSON. */
  readonly places: Readonly<Record<string, ImportPlace>>;
  /** First moment, and the one after the last, in milliseconds; null for no bound. */
  readonly from: number | null;
  readonly until: number | null;
  /** Number of items of the files that an earlier run processed. */
  readonly done: number;
  /**
   * The last of them, or one shortly before, where reading starts; from the beginning when absent.
   */
  readonly start?: ImportStart | null;
};

/**
 * In addition to the readers' reasons: `removed`: deleted at its source; `other_text`: another
 * message with the same Message-ID was imported before.
 */
export type SkipReason = BrokenReason | 'other_text' | 'refused' | 'removed';

export type Skipped = {
  readonly name: string;
  readonly folder: string;
  readonly reason: SkipReason;
  /** Its bytes, when known. */
  readonly raw?: Blob;
};

/** Changes since the last report, and the progress of the run. */
export type ImportStep = {
  readonly done: number;
  readonly start: ImportStart | null;
  /** Fraction of the files that was read, 0 to 1. */
  readonly share: number;
  readonly imported: number;
  readonly here: number;
  readonly bytes: number;
  readonly skipped: readonly Skipped[];
  /** vCards found in the files. */
  readonly cards: readonly string[];
};

/** Why a run stopped early. */
export type ImportStop =
  | { readonly kind: 'full'; readonly missingBytes: number }
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'call'; readonly text: string };

export type ImportEnd = { readonly kind: 'done' } | { readonly kind: 'cancelled' } | ImportStop;

/** Callbacks from the worker to the page. */
export type ImportListener = {
  readonly onStep: (step: ImportStep) => Promise<void>;
  /** The server gave no answer or asked to wait; the run continues by itself. */
  readonly onWaiting: (isWaiting: boolean) => void;
  /**
   * Creates these tags where they do not exist; returns their names, null for those that cannot be
   * created.
   */
  readonly ensureTags: (names: readonly string[]) => Promise<readonly (string | null)[]>;
};

/** Returns a folder's key in plans. */
export const folderKey = (path: readonly string[]): string => JSON.stringify(path);
