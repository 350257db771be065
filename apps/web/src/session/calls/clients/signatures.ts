/**
 * Typed client for calls/signatures.ts of the contract, shared by the modules that make these
 * calls.
 */
import { signaturesCalls } from '@keyfold/contract/calls/signatures';
import { clientOf } from '../client.ts';

export const signaturesClient = clientOf(signaturesCalls);
