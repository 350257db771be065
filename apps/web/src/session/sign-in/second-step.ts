// The second step of signing in: completes an MFA-pending sign-in with a code or a security key
// (docs/spec-map.md 4.14). Loaded only when required. Rejects with CallError, or CryptoError when
// the vault does not open.
import type { User } from '@keyfold/contract';
import { mfaCalls } from '@keyfold/contract/calls/mfa';
import { keys, lockKeys } from '../../crypto/key-client.ts';
import { clientOf } from '../calls/client.ts';
import { enterAs, LoginRequiredError } from '../session.ts';
import type { FactorProof } from '../trust/factor-proof.ts';

const mfaClient = clientOf(mfaCalls);

/** A sign-in whose password was correct. */
export type HalfSignin = { readonly email: string; readonly keepSignedIn: boolean };

async function finish(user: User, { email, keepSignedIn }: HalfSignin): Promise<void> {
  const address = email.trim().toLowerCase();
  if (user.kdf_email !== address) throw new LoginRequiredError();
  await keys().finishLogin(address, user.main_key);
  await enterAs(user, keepSignedIn);
}

/** Returns the challenge for a security key, for this sign-in or recovery. */
export const askKey = async (email: string) => (await mfaClient.challenge({ email })).data;

/** Completes the sign-in with a proof. */
export async function finishSignin(half: HalfSignin, proof: FactorProof): Promise<void> {
  const { email, keepSignedIn: keep_signed_in } = half;
  if ('passkey' in proof) {
    const { data } = await mfaClient.passkey({ email, keep_signed_in, passkey: proof.passkey });
    return finish(data, half);
  }
  const { data } = await mfaClient.code({ email, keep_signed_in, code: proof.totp_code });
  return finish(data, half);
}

/** Wipes what the password has unlocked when the user abandons the second step. */
export const giveUpSignin = (): Promise<void> => lockKeys();
