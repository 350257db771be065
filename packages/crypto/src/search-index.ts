// Seals the pieces of the search index, which are stored on the device and on the server
// (docs/crypto.md, Search index). Their key is derived from sent_key and opens nothing else, so the
// search worker need not hold the vault. Each piece is bound to its kind. The index itself detects
// an old piece returned in place of a new one, by comparing it with the mailbox.

import { requireSize } from './bytes.ts';
import { failAs } from './errors.ts';
import { openBox, sealBox } from './gcm-box.ts';
import { SEARCH_INFO, SEARCH_KEY_BYTES, SEARCH_LABEL, SENT_KEY_BYTES } from './params.ts';
import { type Bytes, encodeUtf8 } from './platform.ts';
import { getPrimitives } from './primitives/select.ts';

/**
 * Kind of a piece: a segment, a segment's head with a few facts about it, or a device's indexing
 * progress.
 */
export type SearchPiece = 'segment' | 'head' | 'state';

/** Returns the key of the user's search index, 32 bytes. */
export async function deriveSearchKey(sentKey: Uint8Array): Promise<Bytes> {
  return failAs('derive_failed', async () => {
    requireSize(sentKey, SENT_KEY_BYTES, 'sent_key');
    const primitives = await getPrimitives();
    const material = await primitives.hkdfSha256(sentKey);
    return material
      .bytes(new Uint8Array(0), encodeUtf8(SEARCH_INFO), SEARCH_KEY_BYTES)
      .finally(() => material.wipe());
  });
}

/** Seals and opens pieces until closed. */
export type SearchBox = {
  /** IV || AES-256-GCM. */
  seal(kind: SearchPiece, bytes: Uint8Array): Promise<Bytes>;
  /**
   * Rejects with 'Failed to open stored data' for pieces that are damaged or were sealed as another
   * kind or under another key.
   */
  open(kind: SearchPiece, sealed: Uint8Array): Promise<Bytes>;
  /** Wipes the key. */
  close(): void;
};

/**
 * Creates a {@link SearchBox} under a key from {@link deriveSearchKey}. It also opens pieces sealed
 * under earlier keys, so that new keys do not require rebuilding the index; it seals only under the
 * first key.
 */
export async function createSearchBox(
  searchKey: Uint8Array,
  former: readonly Uint8Array[] = [],
): Promise<SearchBox> {
  return failAs('derive_failed', async () => {
    for (const one of [searchKey, ...former]) requireSize(one, SEARCH_KEY_BYTES, 'Search key');
    const primitives = await getPrimitives();
    const key = await primitives.aesGcm(searchKey);
    const before = await Promise.all(former.map(one => primitives.aesGcm(one)));
    const openAny = async (sealed: Uint8Array, label: Uint8Array): Promise<Bytes> => {
      for (const one of [key, ...before]) {
        const opened = await openBox(one, sealed, label).catch(() => null);
        if (opened !== null) return opened;
      }
      return openBox(key, sealed, label);
    };
    const data = (kind: SearchPiece): Uint8Array => encodeUtf8(`${SEARCH_LABEL}${kind}`);
    return {
      seal: (kind, bytes) => failAs('record_seal_failed', () => sealBox(primitives, key, bytes, data(kind))),
      open: (kind, sealed) => failAs('local_open_failed', () => openAny(sealed, data(kind))),
      close: () => {
        for (const one of [key, ...before]) one.wipe();
      },
    };
  });
}
