// Makes an account: keys in the worker, the call, the session. Reached by the page that offers it.

import type { KeyStep } from '../crypto/account-keys.ts';
import { callback, keys } from '../crypto/key-client.ts';
import { enteringClient } from './entering-client.ts';
import { enterAs } from './session.ts';

type Signup = {
  readonly name: string;
  readonly username: string;
  readonly domain: string;
  readonly password: string;
  readonly captcha: Promise<string>;
  readonly affiliateCode?: string;
  /** The secret of an organisation's invitation. */
  readonly invite?: string;
};

/** Makes keys and an account. `onStep` hears what is being done. Rejects with CallError. */
export async function signUp(signup: Signup, onStep: (step: KeyStep | 'register') => void): Promise<void> {
  const email = `${signup.username}@${signup.domain}`.trim().toLowerCase();
  const { loginHash, mainKey } = await keys().createAccount(email, signup.password, callback(onStep));
  onStep('register');
  const { data } = await enteringClient.auth.register({
    name: signup.name,
    username: signup.username,
    domain: signup.domain,
    password: loginHash,
    captcha: await signup.captcha,
    main_key: mainKey,
    ...(signup.invite ? { invite: signup.invite } : {}),
    ...(signup.affiliateCode ? { affiliate_code: signup.affiliateCode } : {}),
  });
  await enterAs(data);
}
