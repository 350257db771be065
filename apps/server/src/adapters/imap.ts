/**
 * A mailbox at another provider, as an import reads it: its folders, and messages by folder and
 * UID, without changing anything. imap-flow.ts implements the protocol. Failures are classified
 * here and never contain host, user or password.
 */

export type ImapLogin = {
  /** A host name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly security: 'starttls' | 'tls';
  readonly user: string;
  readonly password: string;
};

/**
 * Why a mailbox cannot be read. Only `unreachable`, `unknown_host` (names may be gone for a while)
 * and `not_understood` may be temporary.
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

/**
 * A folder's special use (RFC 6154), if the server reports it or the folder's name is unambiguous.
 */
export type ImapUse = 'all' | 'archive' | 'drafts' | 'inbox' | 'junk' | 'sent' | 'trash';

export type ImapFolder = {
  /** Full name, used to open the folder. */
  readonly name: string;
  /** Folder names from the outermost to the innermost. */
  readonly path: readonly string[];
  readonly use: ImapUse | null;
  /** Number of messages; null when the server does not report it, or not in time. */
  readonly count: number | null;
};

/** A message without its content. */
export type ImapHead = {
  readonly uid: number;
  readonly sizeBytes: number;
  /** INTERNALDATE. */
  readonly receivedAt: Date | null;
  readonly isSeen: boolean;
  readonly isFlagged: boolean;
  readonly isDraft: boolean;
  readonly isDeleted: boolean;
  /** Gmail's labels, with those of system folders as in `\Inbox`; empty for other servers. */
  readonly labels: readonly string[];
};

/**
 * An open connection. Every call rejects with ImapRefusal, after which the connection is closed.
 */
export type ImapSession = {
  /**
   * Returns the folders that hold messages, without those that show messages of others. More
   * folders than the limit cause `too_large`.
   */
  readonly listFolders: () => Promise<readonly ImapFolder[]>;
  /**
   * Opens a folder for reading; null when the server refuses. UIDs are valid as long as
   * `uidValidity` is the same.
   */
  readonly openFolder: (name: string) => Promise<{ readonly uidValidity: string } | null>;
  /**
   * Returns the UIDs above `after` in the open folder, in ascending order; `since` limits them to
   * messages received on that day or later.
   */
  readonly findUids: (after: number, since: string | null) => Promise<readonly number[]>;
  /** Returns the metadata of messages; deleted messages are missing from the result. */
  readonly measure: (uids: readonly number[]) => Promise<ReadonlyMap<number, ImapHead>>;
  /**
   * Returns messages byte for byte; deleted messages and those that the server withholds are
   * missing from the result.
   */
  readonly fetch: (uids: readonly number[]) => Promise<ReadonlyMap<number, Uint8Array<ArrayBuffer>>>;
  readonly close: () => void;
};
