/**
 * Typed client for calls/sending.ts of the contract, shared by the modules that make these calls.
 */
import { sendingCalls } from '@keyfold/contract/calls/sending';
import { clientOf } from '../client.ts';

export const sendingClient = clientOf(sendingCalls);
