// Code that the sign-in form needs once it is used, as one chunk: the key derivation worker, the
// calls, the texts.

import { signInCalls } from '@keyfold/contract/calls/sign-in';
import { CallError } from '@keyfold/contract/client';
import type { FactorKind } from '@keyfold/contract/limits';
import { keys } from '../../crypto/key-client.ts';
import { t, term } from '../../lib/language.ts';
import { clientOf } from '../calls/client.ts';
import { signUpClient } from '../calls/clients/sign-up.ts';
import { callErrorText } from '../calls/error-text.ts';
import { enterAs, LoginRequiredError } from '../session.ts';
import { watchSession } from '../start-session.ts';

const signInClient = clientOf(signInCalls);

const wrongPassword = term('Incorrect address or password');

watchSession();

/**
 * Returns one text for every kind of refusal (docs/interface.md#states;
 * docs/interpretations.md#88).
 */
export function signinErrorText(error: unknown): string {
  if (error instanceof CallError && error.status === 401) return t(wrongPassword);
  return callErrorText(error);
}

/** `in`, or the available second factors, with which second-step.ts continues. */
type SigninResult = 'in' | readonly FactorKind[];

/**
 * Signs in with address and password. Rejects with CallError, or CryptoError when the vault does
 * not open.
 */
export async function signIn(email: string, password: string, keepSignedIn: boolean): Promise<SigninResult> {
  const address = email.trim().toLowerCase();
  const loginHash = await keys().prepareLogin(address, password);
  const { data } = await signInClient.login({
    email: address,
    password: loginHash,
    keep_signed_in: keepSignedIn,
  });
  if ('mfa_required' in data) return data.factors;
  if (data.kdf_email !== address) throw new LoginRequiredError();
  await keys().finishLogin(address, data.main_key);
  await enterAs(data, keepSignedIn);
  return 'in';
}

/**
 * Returns the full address if only a name was typed and the service has one domain; otherwise the
 * input.
 */
export async function completeAddress(typed: string): Promise<string> {
  const name = typed.trim();
  if (name === '' || /[\s@]/.test(name)) return typed;
  try {
    const { data: domains } = await signUpClient.domains({});
    return domains.length === 1 ? `${name}@${domains[0]}` : typed;
  } catch {
    return typed;
  }
}
