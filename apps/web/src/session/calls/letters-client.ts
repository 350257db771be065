// The typed client of the calls of reading and writing; its contract is fetched with what uses them.
import { lettersApi } from '@keyfold/contract/letters';
import { clientOf } from './client.ts';

export const lettersClient = clientOf(lettersApi);
