/**
 * Typed client for calls/remote-content.ts of the contract, shared by the modules that make these
 * calls.
 */
import { remoteContentCalls } from '@keyfold/contract/calls/remote-content';
import { clientOf } from '../client.ts';

export const remoteContentClient = clientOf(remoteContentCalls);
