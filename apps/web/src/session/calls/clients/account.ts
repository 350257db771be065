/**
 * Typed client for calls/account.ts of the contract, shared by the modules that make these calls.
 */
import { accountCalls } from '@keyfold/contract/calls/account';
import { clientOf } from '../client.ts';

export const accountClient = clientOf(accountCalls);
