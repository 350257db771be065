// What is made of public keys for comparing them, inside the key worker: digests that are pinned, numbers that two people
// read out, and the proof in a share code. Public values alone come in and go out; one's own keys are the vault's.
import { keyDigest, safetyNumber, shareProof } from '@keyfold/crypto/fingerprint';
import { decodeBase64 } from '@keyfold/crypto/message';
import { getVault } from './vault-keeper.ts';

/** Public keys as the wire carries them. */
export type WireKeys = { readonly mlkem_public: string; readonly dh_public: string };

const bytesOf = ({ mlkem_public, dh_public }: WireKeys) => ({
  mlkem_public: decodeBase64(mlkem_public),
  dh_public: decodeBase64(dh_public),
});

/** The digest of each pair of keys. Rejects when one has a wrong size. */
export const digestKeys = (keys: readonly WireKeys[]): Promise<string[]> =>
  Promise.all(keys.map(one => keyDigest(bytesOf(one))));

/** The digest of one's own keys. */
export const ownKeyDigest = (): Promise<string> => keyDigest(getVault().identity);

/** The sixty digits that oneself and the owner of these keys see. */
export const safetyNumberWith = (keys: WireKeys): Promise<string> =>
  safetyNumber(getVault().identity, bytesOf(keys));

/** What one's own share codes carry of one's keys. */
export const ownShareProof = (): Promise<string> => shareProof(getVault().identity);

/** The same of somebody else's keys. */
export const shareProofOf = (keys: WireKeys): Promise<string> => shareProof(bytesOf(keys));
