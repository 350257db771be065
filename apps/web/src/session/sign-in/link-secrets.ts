// Links that an organization hands out. The secret is in the fragment, which is never sent to a
// server.
import { signupPath } from '../../paths.ts';
import { serverOrigin } from '../calls/server-origin.ts';

/** Returns the link of an invitation. */
export const inviteLink = (secret: string): string => `${serverOrigin()}${signupPath}#invite=${secret}`;

/**
 * Returns a link's secret, from the fragment or, under the API's name, from the query; empty if
 * there is none.
 */
export const secretOfLink = (
  { hash, search }: Pick<Location, 'hash' | 'search'>,
  kind: 'invite' | 'reset',
): string =>
  new URLSearchParams(hash.replace(/^#/, '')).get(kind) ?? new URLSearchParams(search).get(kind) ?? '';
