/**
 * Typed client for calls/triage.ts of the contract, shared by the modules that make these calls.
 */
import { triageCalls } from '@keyfold/contract/calls/triage';
import { clientOf } from '../client.ts';

export const triageClient = clientOf(triageCalls);
