/**
 * Typed client for calls/key-rotation.ts of the contract, shared by the modules that make these
 * calls.
 */
import { keyRotationCalls } from '@keyfold/contract/calls/key-rotation';
import { clientOf } from '../client.ts';

export const keyRotationClient = clientOf(keyRotationCalls);
