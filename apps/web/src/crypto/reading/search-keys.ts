// The key worker's side of the workers that read the whole mailbox, over ports that only workers
// hold: the index key for the search worker, the working copy's key for the export, keys of single
// messages for the reading worker. None of them sees the vault (docs/adr/0017).
import { decodeBase64, encodeBase64, type ReceivedWrap } from '@keyfold/crypto/message';
import { SEARCH_KEY_BYTES } from '@keyfold/crypto/params';
import { deriveSearchKey } from '@keyfold/crypto/search-index';
import * as Comlink from 'comlink';
import { openRecord, sealRecord } from '../keys/records.ts';
import { getVault } from '../keys/vault-keeper.ts';

/** The wrap of one message key, and the binding of the body. */
export type WrapToOpen = { readonly wrap: ReceivedWrap; readonly binding: Uint8Array };

const KEYS_AT_ONCE = 8;

const readingPort = {
  /**
   * Returns the message keys, null for those that do not open. Rejects while the vault is locked.
   */
  openKeys: async (wraps: readonly WrapToOpen[]): Promise<(Uint8Array | null)[]> => {
    const { opener } = getVault();
    const keys: (Uint8Array<ArrayBuffer> | null)[] = [];
    // A few at a time, so that messages the user is viewing can be opened in between.
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
  /** Returns the current and earlier keys of the index. Rejects while the vault is locked. */
  searchKeys: (): Promise<Uint8Array[]> => {
    const { identity, retired } = getVault();
    const all = [identity, ...retired.map(one => one.identity)];
    return Promise.all(all.map(one => deriveSearchKey(one.sent_key)));
  },
  /** Serves a reading worker on this port. */
  openReadingPort: (port: MessagePort): void => Comlink.expose(readingPort, port),
};
export type SearchPort = typeof searchPort;

const [exportKind, exportId] = ['export', 'key'];

const exportPort = {
  /**
   * Returns a new key for a working copy, in plain and sealed form. Rejects while the vault is
   * locked.
   */
  makeKey: async (): Promise<{ readonly key: Uint8Array; readonly sealed: string }> => {
    const key = crypto.getRandomValues(new Uint8Array(SEARCH_KEY_BYTES));
    return { key, sealed: await sealRecord(exportKind, exportId, encodeBase64(key)) };
  },
  /**
   * Returns the sealed key, or null when it belongs to another user. Rejects while the vault is
   * locked.
   */
  openKey: async (sealed: string): Promise<Uint8Array | null> => {
    getVault();
    const opened = await openRecord(exportKind, exportId, sealed).catch(() => null);
    return opened === null ? null : decodeBase64(String(opened));
  },
  openReadingPort: searchPort.openReadingPort,
};
export type ExportPort = typeof exportPort;

/** Serves the search or export worker on a port. */
export function openSearchPort(port: MessagePort, what: 'search' | 'export' = 'search'): void {
  Comlink.expose(what === 'search' ? searchPort : exportPort, port);
}
