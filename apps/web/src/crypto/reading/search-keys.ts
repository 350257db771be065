// The key worker's side of the workers that go through the whole mailbox, over ports that only workers have: the key of the
// index for the search worker, that of a working copy for the export, keys of single messages for the reading worker. None of
// them sees the vault (docs/adr, search in a worker of its own).
import { decodeBase64, encodeBase64, type ReceivedWrap } from '@keyfold/crypto/message';
import { SEARCH_KEY_BYTES } from '@keyfold/crypto/params';
import { deriveSearchKey } from '@keyfold/crypto/search-index';
import * as Comlink from 'comlink';
import { openRecord, sealRecord } from '../keys/records.ts';
import { getVault } from '../keys/vault-keeper.ts';

/** How the key of one message came, and the binding of its body. */
export type WrapToOpen = { readonly wrap: ReceivedWrap; readonly binding: Uint8Array };

const KEYS_AT_ONCE = 8;

const readingPort = {
  /** The message keys, null for those that do not open. Rejects while the vault is locked. */
  openKeys: async (wraps: readonly WrapToOpen[]): Promise<(Uint8Array | null)[]> => {
    const { opener } = getVault();
    const keys: (Uint8Array<ArrayBuffer> | null)[] = [];
    // Few at once, so that what people look at comes between.
    for (let at = 0; at < wraps.length; at += KEYS_AT_ONCE) {
      const some = wraps.slice(at, at + KEYS_AT_ONCE);
      keys.push(
        ...(await Promise.all(
          some.map(({ wrap, binding }) => opener.openKey(wrap, binding).catch(() => null)),
        )),
      );
    }
    return Comlink.transfer(
      keys,
      keys.flatMap(key => key?.buffer ?? []),
    );
  },
};
export type ReadingPort = typeof readingPort;

const searchPort = {
  /** The key of the index, and those of the keys before. Rejects while the vault is locked. */
  searchKeys: (): Promise<Uint8Array[]> => {
    const { identity, retired } = getVault();
    const all = [identity, ...retired.map(one => one.identity)];
    return Promise.all(all.map(one => deriveSearchKey(one.sent_key)));
  },
  /** Answers a reading worker on this port. */
  openReadingPort: (port: MessagePort): void => Comlink.expose(readingPort, port),
};
export type SearchPort = typeof searchPort;

const [exportKind, exportId] = ['export', 'key'];

const exportPort = {
  /** A fresh key for a working copy, and the same sealed for its owner. Rejects while the vault is locked. */
  makeKey: async (): Promise<{ readonly key: Uint8Array; readonly sealed: string }> => {
    const key = crypto.getRandomValues(new Uint8Array(SEARCH_KEY_BYTES));
    return { key, sealed: await sealRecord(exportKind, exportId, encodeBase64(key)) };
  },
  /** The key that was sealed, null when it is somebody else's. Rejects while the vault is locked. */
  openKey: async (sealed: string): Promise<Uint8Array | null> => {
    getVault();
    const opened = await openRecord(exportKind, exportId, sealed).catch(() => null);
    return opened === null ? null : decodeBase64(String(opened));
  },
  openReadingPort: searchPort.openReadingPort,
};
export type ExportPort = typeof exportPort;

/** Answers the search worker, or the worker of an export, on a port. */
export function openSearchPort(port: MessagePort, what: 'search' | 'export' = 'search'): void {
  Comlink.expose(what === 'search' ? searchPort : exportPort, port);
}
