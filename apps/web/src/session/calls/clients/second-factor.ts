import { secondFactorCalls } from '@keyfold/contract/calls/second-factor';
import { clientOf } from '../client.ts';

export const secondFactorClient = clientOf(secondFactorCalls);
