// The key worker's side of searching, over ports that only workers have: the key of the index for the search worker, keys of
// single messages for the reading worker. Neither sees the vault (docs/adr, search in a worker of its own).
import type { ReceivedWrap } from '@keyfold/crypto/message';
import { deriveSearchKey } from '@keyfold/crypto/search-index';
import * as Comlink from 'comlink';
import { getVault } from './vault-keeper.ts';

/** How the key of one message came, and the binding of its body. */
export type WrapToOpen = { readonly wrap: ReceivedWrap; readonly binding: Uint8Array };

const readingPort = {
  /** The message keys, null for those that do not open. Rejects while the vault is locked. */
  openKeys: async (wraps: readonly WrapToOpen[]): Promise<(Uint8Array | null)[]> => {
    const { opener } = getVault();
    const keys: (Uint8Array<ArrayBuffer> | null)[] = [];
    // One after the other, so that what people look at comes between.
    for (const { wrap, binding } of wraps) keys.push(await opener.openKey(wrap, binding).catch(() => null));
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

/** Answers the search worker on a port. */
export function openSearchPort(port: MessagePort): void {
  Comlink.expose(searchPort, port);
}
