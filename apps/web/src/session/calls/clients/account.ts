import { accountCalls } from '@keyfold/contract/calls/account';
import { clientOf } from '../client.ts';

export const accountClient = clientOf(accountCalls);
