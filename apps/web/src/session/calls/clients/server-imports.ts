/**
 * Typed client for calls/server-imports.ts of the contract, shared by the modules that make these
 * calls.
 */
import { serverImportsCalls } from '@keyfold/contract/calls/server-imports';
import { clientOf } from '../client.ts';

export const serverImportsClient = clientOf(serverImportsCalls);
