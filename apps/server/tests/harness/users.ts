/**
 * Accounts with real keys, made through the API. Deriving from a password takes half a second each time, so a test that
 * does not care gets random secrets in place of derived ones; the server cannot tell them apart.
 */
import { randomBytes } from 'node:crypto';
import type { MainKey, User } from '@keyfold/contract';
import { deriveLoginHash } from '@keyfold/crypto/login';
import { createIdentity, deriveVaultKey, type Identity, lockVault } from '@keyfold/crypto/vault';
import type { Config } from '../../src/config/config.ts';
import type { Db } from '../../src/db/pool.ts';
import type { TestClient } from './client.ts';

export type TestUser = {
  /** Logged in as the user. */
  readonly client: TestClient;
  readonly user: User;
  readonly email: string;
  /** The unlocked keys. */
  readonly identity: Identity;
  readonly mainKey: MainKey;
  /** What login carries as `password`. */
  readonly loginHash: string;
  readonly vaultKey: Uint8Array;
  /** The password, when it was asked to be a real one. */
  readonly password: string | undefined;
};

export type TestUserOptions = {
  readonly username?: string;
  readonly name?: string;
  /** A real password: login hash and vault key are derived from it. */
  readonly password?: string;
  readonly keepSignedIn?: boolean;
  readonly affiliateCode?: string;
  readonly client?: TestClient;
};

/** Where users register: an app in this process, or one in a process of its own. */
export type RegistrationPlace = {
  readonly config: Pick<Config, 'domains'>;
  readonly client: () => TestClient;
};

let made = 0;

/** Fresh keys under these secrets, as a registration carries them. */
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

/** The id that the database has for a user. */
export async function userIdOf(db: Db, { email }: Pick<TestUser, 'email'>): Promise<string> {
  const row = await db
    .selectFrom('addresses')
    .select('user_id')
    .where('address', '=', email)
    .executeTakeFirstOrThrow();
  return row.user_id;
}

/** A user as the sealing of own copies takes one. */
export const selfOf = ({ email, identity }: TestUser) => ({
  email,
  sent_key: identity.sent_key,
  key_id: identity.key_id,
});
