/**
 * Typed client for calls/second-factor.ts of the contract, shared by the modules that make these
 * calls.
 */
import { secondFactorCalls } from '@keyfold/contract/calls/second-factor';
import { clientOf } from '../client.ts';

export const secondFactorClient = clientOf(secondFactorCalls);
