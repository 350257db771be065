/**
 * A mailbox at another provider, as an import reads it: its folders, and mail by folder and number, nothing changed. Who
 * speaks the protocol is imap-flow.ts; what is thrown is told apart here, and never names host, user or password.
 */

export type ImapLogin = {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly security: 'starttls' | 'tls';
  readonly user: string;
  readonly password: string;
};

/**
 * Why a mailbox cannot be read. Only `unreachable`, `unknown_host` (names may be gone for a while) and `not_understood` may
 * pass by themselves.
 */
export type ImapFailure =
  | 'address_refused'
  | 'certificate'
  | 'login_refused'
  | 'no_tls'
  | 'not_understood'
  | 'port_refused'
  | 'too_large'
  | 'unknown_host'
  | 'unreachable';

export class ImapRefusal extends Error {
  override readonly name = 'ImapRefusal';
  readonly code: ImapFailure;

  constructor(code: ImapFailure) {
    super(`IMAP: ${code}`);
    this.code = code;
  }
}

/** What a folder is for (RFC 6154), where the server says so or its name is one that is used for nothing else. */
export type ImapUse = 'all' | 'archive' | 'drafts' | 'inbox' | 'junk' | 'sent' | 'trash';

export type ImapFolder = {
  /** Its whole name, by which it is opened. */
  readonly name: string;
  /** From the outermost folder to the innermost. */
  readonly path: readonly string[];
  readonly use: ImapUse | null;
  /** Messages in it; null where the server does not tell, or not in time. */
  readonly count: number | null;
};

/** A message without its text. */
export type ImapHead = {
  readonly uid: number;
  readonly sizeBytes: number;
  /** INTERNALDATE. */
  readonly receivedAt: Date | null;
  readonly isSeen: boolean;
  readonly isFlagged: boolean;
  readonly isDraft: boolean;
  readonly isDeleted: boolean;
  /** Labels of Gmail, those of its own places as `\Inbox`; empty elsewhere. */
  readonly labels: readonly string[];
};

/** An open connection. Every call rejects with ImapRefusal; after that the connection is gone. */
export type ImapSession = {
  /** Folders that hold mail, without those that show the mail of others; more than the limit are `too_large`. */
  readonly listFolders: () => Promise<readonly ImapFolder[]>;
  /** Opens a folder to read; null when the server refuses it. UIDs hold as long as `uidValidity` is the same. */
  readonly openFolder: (name: string) => Promise<{ readonly uidValidity: string } | null>;
  /** UIDs of the open folder's messages above `after`, in order; those that came on that day or later. */
  readonly findUids: (after: number, since: string | null) => Promise<readonly number[]>;
  /** What is told of messages; those that are gone are missing. */
  readonly measure: (uids: readonly number[]) => Promise<ReadonlyMap<number, ImapHead>>;
  /** Messages byte for byte; those that are gone or were not given out are missing. */
  readonly fetch: (uids: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array<ArrayBuffer>>>;
  readonly close: () => void;
};
