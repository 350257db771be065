/** The calls by which one comes in, apart from mailbox.ts, which the list fetches. */
import { sign_in } from './sign-in.ts';
import { sign_up } from './sign-up.ts';

export const enteringApi = { sign_in, sign_up } as const;
