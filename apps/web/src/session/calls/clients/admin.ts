/** Typed client for calls/admin.ts of the contract, shared by the modules that make these calls. */
import { adminCalls } from '@keyfold/contract/calls/admin';
import { clientOf } from '../client.ts';

export const adminClient = clientOf(adminCalls);
