import { authCalls } from '@keyfold/contract/calls/auth';
import { clientOf } from '../client.ts';

export const authClient = clientOf(authCalls);
