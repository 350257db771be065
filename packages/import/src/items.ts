// The items that every reader of this package yields, whatever the format: one at a time, with only
// one in memory. A reader never drops anything silently: what it cannot read becomes an item of
// kind 'broken'.

/** State of a message in the mailbox it came from. */
export type MailFlags = {
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  isSent: boolean;
};

/**
 * Folder names from outermost to innermost; empty for the root or when the format has no folders.
 */
export type FolderPath = readonly string[];

/** Where a message was in a mailbox of the same kind as the target. */
export type KeptPlace = {
  isArchived: boolean;
  isDeleted: boolean;
  isFlagged: boolean;
};

export type MailItem = {
  kind: 'mail';
  /** Stable across readings of the same file; used to resume. Never shown. */
  key: string;
  folder: FolderPath;
  /**
   * The message in RFC 5322 form, with CRLF line endings. A message from Keyfold's own export is
   * byte for byte the original.
   */
  raw: Uint8Array<ArrayBuffer>;
  /**
   * When the message arrived or was sent, if the format says so; null falls back to the Date of the
   * message.
   */
  receivedAt: Date | null;
  flags: MailFlags;
  /**
   * Names the message was filed under besides its folder, in formats that have them: labels of
   * Google exports.
   */
  labels?: readonly string[];
  /**
   * Names the message was tagged with, such as the tags of mail programs. Unlike labels, they do
   * not say where the message is.
   */
  tags?: readonly string[];
  /**
   * Only for Keyfold's own export: the exact place of the message. Labels then count as tags,
   * whatever their names.
   */
  place?: KeptPlace;
};

export type ContactItem = {
  kind: 'contact';
  key: string;
  folder: FolderPath;
  /** One vCard 4.0 including its BEGIN and END lines. */
  vcard: string;
};

/** An entry of the file that could not be read. */
export type BrokenItem = {
  kind: 'broken';
  key: string;
  folder: FolderPath;
  /**
   * What the user can find it by: the subject or file name if known, else ''. Plaintext: only for
   * display.
   */
  name: string;
  reason: BrokenReason;
  /** Its bytes as stored in the file, if they can be told apart from those of other items. */
  raw?: Uint8Array<ArrayBuffer>;
};

/**
 * A message that was deleted in its mailbox but is still in the file because the file was never
 * compacted.
 */
export type RemovedItem = {
  kind: 'removed';
  key: string;
  folder: FolderPath;
  /** What the user can find it by, as for a broken item. */
  name: string;
  raw: Uint8Array<ArrayBuffer>;
};

/** Why an item could not be read, as a stable code; the UI has the texts. */
export type BrokenReason =
  | 'damaged' // its structure contradicts itself or cannot be followed
  | 'cut_short' // the file ends within it
  | 'too_large' // larger than the reader loads into memory
  | 'encrypted' // password-protected
  | 'unsupported'; // an unsupported kind of item or compression

export type ImportItem = (MailItem | ContactItem | BrokenItem | RemovedItem) & {
  /**
   * Set when a later reading can start at this item, by its key, and yield the same items from
   * there on.
   */
  canBegin?: true;
};

/** One folder of a file, for selection before anything is read. */
export type FolderOutline = {
  folder: FolderPath;
  /**
   * Number of items in this folder, excluding subfolders; null when only reading them would tell.
   */
  itemCount: number | null;
};

export type ReadOptions = {
  /** Selects the folders to read; all when absent. */
  isWanted?: (folder: FolderPath) => boolean;
  /**
   * Returns true for a key that an earlier reading has processed. The item is skipped and, where
   * possible, not read.
   */
  isDone?: (key: string) => boolean;
  /**
   * Key of an item with `canBegin`: nothing before it is yielded, and little of it is read. If the
   * file has no such item, reading starts at the beginning; the caller notices by the key of the
   * first item.
   */
  from?: string | undefined;
  /** Ends the reading with the signal's reason, between two items. */
  signal?: AbortSignal;
};

/**
 * An opened file. Opening it and both methods throw ImportError when the file as a whole cannot be
 * read.
 */
export type MailFileReader = {
  /** Lists the folders cheaply, without reading any message. */
  outline(): Promise<FolderOutline[]>;
  /** Yields the items, in the same order every time. */
  items(options?: ReadOptions): AsyncIterable<ImportItem>;
};
