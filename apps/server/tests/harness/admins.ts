/** Users with an admin level, and the CSRF token for their calls. */
import type { CallOptions } from '@keyfold/contract/client';
import type { AdminLevel } from '@keyfold/contract/limits';
import type { Deps } from '../../src/context/deps.ts';
import { setAdmin } from '../../src/features/accounts/users/admins.ts';
import { type RegistrationPlace, registerTestUser, type TestUser } from './users.ts';

export type TestAdmin = TestUser & {
  /** Options required for an admin call. */
  readonly csrf: CallOptions;
};

/** Returns the CSRF token of a user's session as call options. */
export const csrfOf = async ({ client }: TestUser): Promise<CallOptions> => ({
  headers: { 'x-csrf-token': (await client.admin_access.token({})).csrf_token },
});

/** Registers an admin with a level; null creates an ordinary user with a token. */
export async function registerTestAdmin(
  app: RegistrationPlace & { readonly deps: Deps },
  level: AdminLevel | null,
): Promise<TestAdmin> {
  const user = await registerTestUser(app);
  if (level !== null) await setAdmin(app.deps, user.email, level);
  return { ...user, csrf: await csrfOf(user) };
}
