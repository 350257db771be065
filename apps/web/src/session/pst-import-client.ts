// The typed client of the calls of an import that the server runs; its contract is fetched with what uses them.
import { pstImportApi } from '@keyfold/contract/pst-imports';
import { clientOf } from './client.ts';

export const pstImportClient = clientOf(pstImportApi).pst_imports;
