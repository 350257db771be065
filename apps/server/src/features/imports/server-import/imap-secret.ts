/**
 * Data about a mailbox at another provider: its login, what to import, and the folders in reading
 * order. It is stored only in the import's row, sealed under the master key. The statement that
 * ends the import deletes it (store.ts).
 */
import type { ImapLogin } from '../../../adapters/imap.ts';
import type { MasterKey } from '../../../base/master-key.ts';
import type { ImapPlace } from './imap-places.ts';

const PURPOSE = 'imap-import';

export type PlannedFolder = {
  readonly name: string;
  readonly path: readonly string[];
  readonly place: ImapPlace;
  readonly count: number;
};

export type ImapSecret = {
  readonly login: ImapLogin;
  /** Names of the folders to import; null for all. */
  readonly folders: readonly string[] | null;
  /** Day from which on mail is imported. */
  readonly since: string | null;
  /** Folders as found in the first turn; null before it. */
  readonly plan: readonly PlannedFolder[] | null;
};

export function sealImapSecret(masterKey: MasterKey, importId: string, secret: ImapSecret): Buffer {
  const plain = Buffer.from(JSON.stringify(secret));
  try {
    return masterKey.seal(PURPOSE, importId, plain);
  } finally {
    plain.fill(0);
  }
}

/** Opens the sealed secret. Throws when it was sealed for another import. */
export function openImapSecret(masterKey: MasterKey, importId: string, sealed: Uint8Array): ImapSecret {
  const plain = masterKey.open(PURPOSE, importId, sealed);
  try {
    return JSON.parse(plain.toString('utf8')) as ImapSecret;
  } finally {
    plain.fill(0);
  }
}
