/**
 * Typed client for calls/security.ts of the contract, shared by the modules that make these calls.
 */
import { securityCalls } from '@keyfold/contract/calls/security';
import { clientOf } from '../client.ts';

export const securityClient = clientOf(securityCalls);
