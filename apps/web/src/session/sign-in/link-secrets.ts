// Links that an organisation gives out. The secret stands in the fragment, which is sent to no server.
import { signupPath } from '../../paths.ts';
import { serverOrigin } from '../calls/server-origin.ts';

/** The link of an invitation. */
export const inviteLink = (secret: string): string => `${serverOrigin()}${signupPath}#invite=${secret}`;

/** The secret that a link brings along: in the fragment or, as the API names it, in the query; empty without one. */
export const secretOfLink = (
  { hash, search }: Pick<Location, 'hash' | 'search'>,
  kind: 'invite' | 'reset',
): string =>
  new URLSearchParams(hash.replace(/^#/, '')).get(kind) ?? new URLSearchParams(search).get(kind) ?? '';
