// The typed client of the calls of an import that the server runs; its contract is fetched with what uses them.
import { serverImportApi } from '@keyfold/contract/server-imports';
import { clientOf } from './client.ts';

export const serverImportClient = clientOf(serverImportApi).server_imports;
