/**
 * Typed client for calls/records.ts of the contract, shared by the modules that make these calls.
 */
import { recordsCalls } from '@keyfold/contract/calls/records';
import { clientOf } from '../client.ts';

export const recordsClient = clientOf(recordsCalls);
