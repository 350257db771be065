import { adminCalls } from '@keyfold/contract/calls/admin';
import { clientOf } from '../client.ts';

export const adminClient = clientOf(adminCalls);
