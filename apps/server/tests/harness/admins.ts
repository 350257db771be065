/**
 * Users with an admin level, and the token that their calls carry.
 */
import type { CallOptions } from '@keyfold/contract/client';
import type { AdminLevel } from '@keyfold/contract/limits';
import type { Deps } from '../../src/context/deps.ts';
import { setAdmin } from '../../src/features/accounts/users/admins.ts';
import { type RegistrationPlace, registerTestUser, type TestUser } from './users.ts';

export type TestAdmin = TestUser & {
  /** What an admin call is sent with. */
  readonly csrf: CallOptions;
};

/** The token of a user's session, as the options of a call. */
export const csrfOf = async ({ client }: TestUser): Promise<CallOptions> => ({
  headers: { 'x-csrf-token': (await client.admin_access.token({})).csrf_token },
});

/** Registers an admin of a level; null makes a plain user with a token. */
export async function registerTestAdmin(
  app: RegistrationPlace & { readonly deps: Deps },
  level: AdminLevel | null,
): Promise<TestAdmin> {
  const user = await registerTestUser(app);
  if (level !== null) await setAdmin(app.deps, user.email, level);
  return { ...user, csrf: await csrfOf(user) };
}
