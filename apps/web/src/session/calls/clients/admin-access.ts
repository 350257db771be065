/**
 * Typed client for calls/admin-access.ts of the contract, shared by the modules that make these
 * calls.
 */
import { adminAccessCalls } from '@keyfold/contract/calls/admin-access';
import { clientOf } from '../client.ts';

export const adminAccessClient = clientOf(adminAccessCalls);
