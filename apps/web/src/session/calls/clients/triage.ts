import { triageCalls } from '@keyfold/contract/calls/triage';
import { clientOf } from '../client.ts';

export const triageClient = clientOf(triageCalls);
