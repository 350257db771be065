/**
 * Organizations for tests: members who accept an invitation, and domains that count as verified.
 */
import { randomBytes } from 'node:crypto';
import type { OrganizationRole } from '@keyfold/contract/limits';
import type { TestApp } from './app.ts';
import { createTestKeys, type TestUser } from './users.ts';

let made = 0;

/** Creates an account through an invitation. */
export async function acceptInvite(
  app: Pick<TestApp, 'client'>,
  invite: string,
  email: string,
): Promise<TestUser> {
  const loginHash = randomBytes(32).toString('hex');
  const { identity, mainKey, vaultKey } = await createTestKeys();
  const client = app.client();
  const at = email.lastIndexOf('@');
  const { data: user } = await client.sign_up.register({
    name: 'Invited',
    username: email.slice(0, at),
    domain: email.slice(at + 1),
    password: loginHash,
    captcha: '',
    main_key: mainKey,
    invite,
  });
  return { client, user, email, identity, mainKey, loginHash, vaultKey, password: undefined };
}

export type Invited = {
  readonly username?: string;
  readonly domain?: string;
  readonly role?: OrganizationRole;
};

/** Makes an owner invite a user, who joins. Returns the member with the id used in lists. */
export async function addMember(
  app: Pick<TestApp, 'client'>,
  owner: TestUser,
  options: Invited = {},
): Promise<TestUser & { readonly id: string }> {
  const { data } = await owner.client.organization.invite({
    name: 'Invited',
    username: options.username ?? `member${++made}.${randomBytes(3).toString('hex')}`,
    domain: options.domain ?? 'keyfold.test',
    ...(options.role === undefined ? {} : { role: options.role }),
  });
  return { ...(await acceptInvite(app, data.invite, data.email)), id: data.user_id };
}

/** Makes a user claim a domain and marks it as verified without a DNS query. */
export async function proveDomain(
  { db }: Pick<TestApp, 'db'>,
  { client, email }: TestUser,
  domain: string,
): Promise<void> {
  await client.domains.register({ domain });
  const { user_id } = await db
    .selectFrom('addresses')
    .select('user_id')
    .where('address', '=', email)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('domains')
    .set({ verified_at: new Date() })
    .where('user_id', '=', user_id)
    .where('domain', '=', domain)
    .execute();
}
