/**
 * Finds the TLS context for the name that a client asks for. The names are in memory and read again
 * at an interval; a certificate is loaded with its first use. An unknown name causes another
 * reading at most once a second, so that a new certificate is used at once and strangers cause no
 * load.
 */
import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { TlsPair } from '../../../config/tls.ts';
import type { Deps } from '../../../context/deps.ts';
import { openPrivateKey } from './keys.ts';
import { findByName, listIssued } from './store.ts';

const READ_EVERY_MS = 15_000;
const READ_AGAIN_MS = 1_000;
/** Contexts in memory, about 100 KB each. */
const CONTEXTS_MAX = 500;

type HolderDeps = Pick<Deps, 'db' | 'logger' | 'masterKey'>;

/** Returns the current certificate of a name with its key; null when there is none. */
export async function findPair({ db, masterKey }: HolderDeps, name: string): Promise<TlsPair | null> {
  const row = await findByName(db, name);
  if (!row?.chain || !row.key_sealed) return null;
  const key = openPrivateKey(masterKey, name, row.key_sealed);
  return key === null ? null : { cert: row.chain, key };
}

export type CertificateHolder = {
  /** Returns the context for a name; null when the service has no certificate for it. */
  readonly find: (name: string) => Promise<SecureContext | null>;
  readonly close: () => void;
};

/** Starts reading the names. */
export async function openCertificates(deps: HolderDeps): Promise<CertificateHolder> {
  /** Time of the issue of each certificate, by name. */
  let issued = new Map<string, number>();
  let readAtMs = 0;
  /** By name and time of issue; shared by all who ask while one is loaded. */
  const contexts = new LRUCache<string, Promise<SecureContext | null>>({ max: CONTEXTS_MAX });
  const read = async (): Promise<void> => {
    readAtMs = performance.now();
    const rows = await listIssued(deps.db);
    issued = new Map(rows.map(({ name, issued_at }) => [name, issued_at?.getTime() ?? 0]));
  };
  const readNoted = (): Promise<void> =>
    read().catch(error => deps.logger.debug({ err: error }, 'could not read the certificates'));
  await readNoted();
  const timer = setInterval(() => void readNoted(), READ_EVERY_MS).unref();
  return {
    find: async asked => {
      const name = asked.toLowerCase();
      if (!issued.has(name) && performance.now() - readAtMs > READ_AGAIN_MS) await readNoted();
      const at = issued.get(name);
      if (at === undefined) return null;
      const key = `${name} ${at}`;
      const known = contexts.get(key);
      if (known !== undefined) return known;
      const loading = findPair(deps, name).then(pair =>
        pair === null ? null : createSecureContext({ ...pair, minVersion: 'TLSv1.2' }),
      );
      contexts.set(key, loading);
      loading.catch(() => contexts.delete(key));
      return loading;
    },
    close: () => clearInterval(timer),
  };
}
