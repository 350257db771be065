/**
 * The calls of the second step of signing in, and of the recovery kit's way back. Apart from mailbox.ts, so that who has no
 * use for them never fetches them.
 */
import { mfa } from './mfa.ts';
import { recovery } from './recovery.ts';

export const secondStepApi = { mfa, recovery } as const;
