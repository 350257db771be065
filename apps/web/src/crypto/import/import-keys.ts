// The key worker's side of importing, over a port that only the import worker has: it wraps keys of
// single messages, which that worker created, and generates Message-IDs for messages without one.
// The vault stays here.

import { nameImported } from '@keyfold/crypto/import-name';
import { encodeBase64, wrapForSelf } from '@keyfold/crypto/message';
import * as Comlink from 'comlink';
import { getVault } from '../keys/vault-keeper.ts';
import type { OwnWrap } from '../mail/outgoing-message.ts';

const importPort = {
  /**
   * Returns the message key wrapped for the user (docs/wire-format.md#wraps-for-oneself). Rejects
   * while the vault is locked.
   */
  wrapKey: async (key: Uint8Array, binding: Uint8Array): Promise<OwnWrap> => {
    const { email, identity } = getVault();
    try {
      const { second_stage_key_encrypted, salt, key_used } = await wrapForSelf(key, binding, {
        email,
        sent_key: identity.sent_key,
        key_id: identity.key_id,
      });
      return { encrypted_key: second_stage_key_encrypted, salt, key_used };
    } finally {
      key.fill(0);
    }
  },
  /**
   * Returns the Message-ID, in angle brackets, of a message without one, derived from its SHA-256.
   */
  nameMessage: async (digest: Uint8Array): Promise<string> => {
    const name = encodeBase64(await nameImported(getVault().identity.sent_key, digest));
    return `<${name.replace(/[+/=]/g, sign => ({ '+': '-', '/': '_' })[sign] ?? '')}@import.invalid>`;
  },
};
export type ImportPort = typeof importPort;

/** Serves the import worker on a port. */
export function openImportPort(port: MessagePort): void {
  Comlink.expose(importPort, port);
}
