// Generates the name of an imported message that has no Message-ID. The name is deterministic, so a
// repeated import recognizes the message, and looks random to anyone without the keys, so that it
// reveals nothing about the message (docs/crypto.md, Imported mail).

import { requireSize } from './bytes.ts';
import { failAs } from './errors.ts';
import { BINDING_BYTES, IMPORT_NAME_BYTES, IMPORT_NAME_INFO, SENT_KEY_BYTES } from './params.ts';
import { type Bytes, encodeUtf8 } from './platform.ts';
import { getPrimitives } from './primitives/select.ts';

/** Returns 16 bytes of HKDF-SHA256(sent_key, salt = SHA-256 of the message, "import-name"). */
export async function nameImported(sentKey: Uint8Array, digest: Uint8Array): Promise<Bytes> {
  return failAs('derive_failed', async () => {
    requireSize(sentKey, SENT_KEY_BYTES, 'sent_key');
    requireSize(digest, BINDING_BYTES, 'Digest');
    const material = await (await getPrimitives()).hkdfSha256(sentKey);
    return material
      .bytes(digest, encodeUtf8(IMPORT_NAME_INFO), IMPORT_NAME_BYTES)
      .finally(() => material.wipe());
  });
}
