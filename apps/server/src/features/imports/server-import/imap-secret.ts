/**
 * What an import knows of a mailbox at another provider, and keeps in its row alone: how one gets in, what is wanted, and the
 * folders in the order in which they are read. All of it is sealed under the master key; the statement that ends an import
 * takes it (store.ts).
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
  /** Names of the folders that are wanted; null for all. */
  readonly folders: readonly string[] | null;
  /** The day from which on mail is wanted. */
  readonly since: string | null;
  /** The folders as they were at the first turn; null before it. */
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

/** Throws when it was sealed for another import. */
export function openImapSecret(masterKey: MasterKey, importId: string, sealed: Uint8Array): ImapSecret {
  const plain = masterKey.open(PURPOSE, importId, sealed);
  try {
    return JSON.parse(plain.toString('utf8')) as ImapSecret;
  } finally {
    plain.fill(0);
  }
}
