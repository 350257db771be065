/**
 * Accounts with real keys, created through the API. Deriving keys from a password takes half a
 * second, so tests use random secrets instead unless they need a password; the server cannot tell
 * the difference.
 */
import { randomBytes } from 'node:crypto';
import type { MainKey, User } from '@keyfold/contract';
import { deriveLoginHash } from '@keyfold/crypto/login';
import { createIdentity, deriveVaultKey, type Identity, lockVault } from '@keyfold/crypto/vault';
import type { Config } from '../../src/config/config.ts';
import type { Db } from '../../src/db/pool.ts';
import type { TestClient } from './client.ts';

export type TestUser = {
  /** Signed in as the user. */
  readonly client: TestClient;
  readonly user: User;
  readonly email: string;
  /** The unlocked keys. */
  readonly identity: Identity;
  readonly mainKey: MainKey;
  /** Value that the login call sends as `password`. */
  readonly loginHash: string;
  readonly vaultKey: Uint8Array;
  /** The password, if a real one was requested. */
  readonly password: string | undefined;
};

export type TestUserOptions = {
  readonly username?: string;
  readonly name?: string;
  /** A real password, from which the login hash and vault key are derived. */
  readonly password?: string;
  readonly keepSignedIn?: boolean;
  readonly affiliateCode?: string;
  readonly client?: TestClient;
};

/** Where users register: an app in this process or in another one. */
export type RegistrationPlace = {
  readonly config: Pick<Config, 'domains'>;
  readonly client: () => TestClient;
};

let made = 0;

/** Creates keys protected by these secrets, in the form of a registration. */
export async function createTestKeys(
  vaultKey: Uint8Array = randomBytes(32),
): Promise<{ identity: Identity; mainKey: MainKey; vaultKey: Uint8Array }> {
  const identity = await createIdentity();
  return { identity, mainKey: await lockVault(vaultKey, identity), vaultKey };
}

/** Registers a user at the app's first domain. */
export async function registerTestUser(
  app: RegistrationPlace,
  options: TestUserOptions = {},
): Promise<TestUser> {
  const username = options.username ?? `user${++made}.${randomBytes(3).toString('hex')}`;
  const domain = app.config.domains[0] ?? '';
  const email = `${username}@${domain}`;
  const { password } = options;
  const loginHash =
    password === undefined ? randomBytes(32).toString('hex') : await deriveLoginHash(password, email);
  const { identity, mainKey, vaultKey } = await createTestKeys(
    password === undefined ? randomBytes(32) : await deriveVaultKey(password, email),
  );
  const client = options.client ?? app.client();
  const { data: user } = await client.sign_up.register({
    name: options.name ?? username,
    username,
    domain,
    password: loginHash,
    captcha: '',
    main_key: mainKey,
    ...(options.affiliateCode === undefined ? {} : { affiliate_code: options.affiliateCode }),
    ...(options.keepSignedIn === undefined ? {} : { keep_signed_in: options.keepSignedIn }),
  });
  return { client, user, email, identity, mainKey, loginHash, vaultKey, password };
}

/** Returns the database id of a user. */
export async function userIdOf(db: Db, { email }: Pick<TestUser, 'email'>): Promise<string> {
  const row = await db
    .selectFrom('addresses')
    .select('user_id')
    .where('address', '=', email)
    .executeTakeFirstOrThrow();
  return row.user_id;
}

/** Returns a user in the form needed to encrypt the sender's own copies. */
export const selfOf = ({ email, identity }: TestUser) => ({
  email,
  sent_key: identity.sent_key,
  key_id: identity.key_id,
});
