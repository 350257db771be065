// Values derived from public keys for comparison, inside the key worker: pinned digests, safety
// numbers that two people read to each other, and the proof in a share code. Only public values
// enter and leave; the user's own keys come from the vault.
import { keyDigest, safetyNumber, shareProof } from '@keyfold/crypto/fingerprint';
import { decodeBase64 } from '@keyfold/crypto/message';
import { getVault } from './vault-keeper.ts';

/** Public keys in wire format. */
export type WireKeys = { readonly mlkem_public: string; readonly dh_public: string };

const bytesOf = ({ mlkem_public, dh_public }: WireKeys) => ({
  mlkem_public: decodeBase64(mlkem_public),
  dh_public: decodeBase64(dh_public),
});

/** Returns the digest of each key pair. Rejects when a key has the wrong size. */
export const digestKeys = (keys: readonly WireKeys[]): Promise<string[]> =>
  Promise.all(keys.map(one => keyDigest(bytesOf(one))));

/** Returns the digest of the user's own keys. */
export const ownKeyDigest = (): Promise<string> => keyDigest(getVault().identity);

/** Returns the sixty digits that both the user and the owner of these keys see. */
export const safetyNumberWith = (keys: WireKeys): Promise<string> =>
  safetyNumber(getVault().identity, bytesOf(keys));

/** Returns the proof of the user's own keys that the user's share codes contain. */
export const ownShareProof = (): Promise<string> => shareProof(getVault().identity);

/** Returns the same proof for another user's keys. */
export const shareProofOf = (keys: WireKeys): Promise<string> => shareProof(bytesOf(keys));
