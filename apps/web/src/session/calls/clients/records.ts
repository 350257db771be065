import { recordsCalls } from '@keyfold/contract/calls/records';
import { clientOf } from '../client.ts';

export const recordsClient = clientOf(recordsCalls);
