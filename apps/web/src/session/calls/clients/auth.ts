/** Typed client for calls/auth.ts of the contract, shared by the modules that make these calls. */
import { authCalls } from '@keyfold/contract/calls/auth';
import { clientOf } from '../client.ts';

export const authClient = clientOf(authCalls);
