// What the import worker and the page tell each other. Names and subjects among it are plaintext: for the screen, and for
// what is sealed, alone.
import type { BrokenReason } from '@keyfold/import/items';

/** Where the mail of a folder goes: one of the places that everybody has, or a tag of the folder's name in the archive. */
export const importPlaces = ['inbox', 'archive', 'sent', 'drafts', 'spam', 'deleted', 'tag'] as const;
export type ImportPlace = (typeof importPlaces)[number];

export type ImportFolder = {
  readonly path: readonly string[];
  /** null where only reading would tell. */
  readonly count: number | null;
  /** What its name suggests. */
  readonly place: ImportPlace;
};

/** The files were read so far that one can choose. */
export type OpenedImport = {
  readonly folders: readonly ImportFolder[];
  /** Names of files that are none of those that can be read, or are damaged, with a word for why: `contacts` has no mail. */
  readonly refused: readonly { readonly name: string; readonly why: string }[];
};

/** A thing of the files from which a run can be taken up without reading what stands before it. */
export type ImportStart = {
  /** The number of its file among those that were chosen. */
  readonly file: number;
  readonly key: string;
  /** Things before it. */
  readonly done: number;
  /** How much of the files was read, 0 to 1. */
  readonly share: number;
};

export type ImportPlan = {
  readonly importId: string;
  /** The chosen folders; their paths as JSON. */
  readonly places: Readonly<Record<string, ImportPlace>>;
  /** First moment and the one after the last, milliseconds; null for no bound. */
  readonly from: number | null;
  readonly until: number | null;
  /** Things of the files that an earlier run dealt with. */
  readonly done: number;
  /** The last of them, or one shortly before, where reading begins; from the front when absent. */
  readonly start?: ImportStart | null;
};

/** Besides those of the readers: `removed` where it came from; `other_text`: another mail of the same name was brought before. */
export type SkipReason = BrokenReason | 'other_text' | 'refused' | 'removed';

export type Skipped = {
  readonly name: string;
  readonly folder: string;
  readonly reason: SkipReason;
  /** Its bytes, where they are known. */
  readonly raw?: Blob;
};

/** What happened since the last word, and where the run stands. */
export type ImportStep = {
  readonly done: number;
  readonly start: ImportStart | null;
  /** How much of the files is read, 0 to 1. */
  readonly share: number;
  readonly imported: number;
  readonly here: number;
  readonly bytes: number;
  readonly skipped: readonly Skipped[];
  /** vCards that were found. */
  readonly cards: readonly string[];
};

/** Why a run ended before its end. */
export type ImportStop =
  | { readonly kind: 'full'; readonly missingBytes: number }
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'call'; readonly text: string };

export type ImportEnd = { readonly kind: 'done' } | { readonly kind: 'cancelled' } | ImportStop;

/** What the worker asks of the page. */
export type ImportListener = {
  readonly onStep: (step: ImportStep) => Promise<void>;
  /** No answer came, or a request to wait: the run goes on by itself. */
  readonly onWaiting: (isWaiting: boolean) => void;
  /** Makes these tags where they are not there; the names they have, null for those that cannot be had. */
  readonly ensureTags: (names: readonly string[]) => Promise<readonly (string | null)[]>;
};

/** The name of a folder as plans have it. */
export const folderKey = (path: readonly string[]): string => JSON.stringify(path);
