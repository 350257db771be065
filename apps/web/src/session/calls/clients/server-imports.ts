import { serverImportsCalls } from '@keyfold/contract/calls/server-imports';
import { clientOf } from '../client.ts';

export const serverImportsClient = clientOf(serverImportsCalls);
