/**
 * The calls of the second step of signing in, and of the recovery kit's way back. Apart from mailbox.ts, so that who has no
 * use for them never fetches them.
 */
import { mfa } from './mfa.ts';
import { recover } from './recover.ts';

export const secondStepApi = { auth: { recover }, mfa } as const;
