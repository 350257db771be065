// Creates an account: keys in the worker, the call, the session. Loaded only by the page that
// offers it.

import type { MainKey } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { callback, keys } from '../../crypto/key-client.ts';
import type { KeyStep } from '../../crypto/keys/account-keys.ts';
import { newRequestKey } from '../../lib/request-key.ts';
import { signUpClient } from '../calls/clients/sign-up.ts';
import { enterAs } from '../session.ts';
import { watchSession } from '../start-session.ts';
import { startFirstSteps } from '../state/first-steps.ts';

watchSession();

type Signup = {
  readonly name: string;
  readonly username: string;
  readonly domain: string;
  readonly password: string;
  readonly captcha: Promise<string>;
  readonly affiliateCode?: string;
  /** The secret of an organization's invitation. */
  readonly invite?: string;
};

type NewAccount = {
  readonly loginHash: string;
  readonly mainKey: MainKey;
};

type Prepared = {
  readonly email: string;
  readonly password: string;
  readonly account: Promise<NewAccount>;
  readonly requestKey: string;
};

/**
 * Keys of a registration that got no response; by the same keys, the server recognizes the retry.
 */
let prepared: Prepared | null = null;

function prepare(email: string, password: string, onStep: (step: KeyStep) => void): Prepared {
  if (prepared?.email === email && prepared.password === password) return prepared;
  const account = keys().createAccount(email, password, callback(onStep));
  return { email, password, account, requestKey: newRequestKey() };
}

/**
 * Creates keys and an account; after an attempt without a response, reuses its keys. `onStep`
 * receives each step. Rejects with CallError.
 */
export async function signUp(signup: Signup, onStep: (step: KeyStep | 'register') => void): Promise<void> {
  const email = `${signup.username}@${signup.domain}`.trim().toLowerCase();
  const own = prepare(email, signup.password, onStep);
  prepared = null;
  const { loginHash, mainKey } = await own.account;
  onStep('register');
  const captcha = await signup.captcha;
  try {
    const { data } = await signUpClient.register(
      {
        name: signup.name,
        username: signup.username,
        domain: signup.domain,
        password: loginHash,
        captcha,
        main_key: mainKey,
        ...(signup.invite ? { invite: signup.invite } : {}),
        ...(signup.affiliateCode ? { affiliate_code: signup.affiliateCode } : {}),
      },
      { headers: { 'idempotency-key': own.requestKey } },
    );
    if (data.first_steps === true) startFirstSteps(data.main_key.key_id);
    await enterAs(data);
  } catch (error) {
    if (error instanceof CallError && error.status === 0) prepared = own;
    throw error;
  }
}
