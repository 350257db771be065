// What every reader of this room gives, whatever the format: one item after the other, of which only one is in memory at
// a time. A reader sets nothing aside: what it cannot read it names, as an item of kind 'broken'.

/** The state a mail had where it came from. */
export type MailFlags = {
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  isSent: boolean;
};

/** Names from the outermost folder to the innermost; empty where the format has no folders, or for its root. */
export type FolderPath = readonly string[];

/** Where a mail was in a mailbox like the one it comes to. */
export type KeptPlace = {
  isArchived: boolean;
  isDeleted: boolean;
  isFlagged: boolean;
};

export type MailItem = {
  kind: 'mail';
  /** Stable within the file from one reading to the next; resuming goes by it. Never shown. */
  key: string;
  folder: FolderPath;
  /** The message as RFC 5322 has it, lines ended by CR LF; that of our own export is byte for byte what it was. */
  raw: Uint8Array<ArrayBuffer>;
  /** When it arrived, or was sent, where the format tells; null leaves it to the Date of the message. */
  receivedAt: Date | null;
  flags: MailFlags;
  /** Names under which it was kept besides its folder, where the format has such: labels of Google's exports. */
  labels?: readonly string[];
  /** Names that it was marked with, as programs' tags; unlike labels they say nothing of where it is. */
  tags?: readonly string[];
  /** Of our own export alone: where exactly it was. Labels are tags then, whatever they are called. */
  place?: KeptPlace;
};

export type ContactItem = {
  kind: 'contact';
  key: string;
  folder: FolderPath;
  /** One vCard 4.0 with its BEGIN and END. */
  vcard: string;
};

/** Something that is in the file and could not be read. */
export type BrokenItem = {
  kind: 'broken';
  key: string;
  folder: FolderPath;
  /** What a person finds it by: its subject or its file's name where known, else ''. Plaintext: for the screen alone. */
  name: string;
  reason: BrokenReason;
  /** Its bytes as they stand in the file, where they can be told from those of others. */
  raw?: Uint8Array<ArrayBuffer>;
};

/** A mail that was removed where it came from; only the file was not tidied up since. */
export type RemovedItem = {
  kind: 'removed';
  key: string;
  folder: FolderPath;
  /** What a person finds it by, as of a broken one. */
  name: string;
  raw: Uint8Array<ArrayBuffer>;
};

/** Why an item could not be read, as a stable word; the screens have the sentences. */
export type BrokenReason =
  | 'damaged' // its structure contradicts itself or cannot be followed
  | 'cut_short' // the file ends within it
  | 'too_large' // larger than is taken into memory
  | 'encrypted' // under a password
  | 'unsupported'; // a kind of thing, or of packing, that is not read

export type ImportItem = (MailItem | ContactItem | BrokenItem | RemovedItem) & {
  /** A later reading can begin with it, by its key, and gives from there on what this one does. */
  canBegin?: true;
};

/** One folder of a file, for choosing before anything is read. */
export type FolderOutline = {
  folder: FolderPath;
  /** Things in this folder itself, not in those beneath; null where only reading them would tell. */
  itemCount: number | null;
};

export type ReadOptions = {
  /** Folders that are wanted; all when absent. */
  isWanted?: (folder: FolderPath) => boolean;
  /** True for a key that an earlier reading has dealt with: it is stepped over and, where possible, not read. */
  isDone?: (key: string) => boolean;
  /**
   * The key of an item that can begin a reading: nothing before it is given, and little of it read. From the front where the
   * file has no such item; whoever asks sees it by the key of the first one.
   */
  from?: string | undefined;
  /** Ends the reading with the signal's reason, between two items. */
  signal?: AbortSignal;
};

/** An opened file. Opening and both calls throw ImportError when the file as a whole cannot be read on. */
export type MailFileReader = {
  /** The folders, cheaply: no mail is read for it. */
  outline(): Promise<FolderOutline[]>;
  /** The items in an order that is the same each time. */
  items(options?: ReadOptions): AsyncIterable<ImportItem>;
};
