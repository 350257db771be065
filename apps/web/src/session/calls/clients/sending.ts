import { sendingCalls } from '@keyfold/contract/calls/sending';
import { clientOf } from '../client.ts';

export const sendingClient = clientOf(sendingCalls);
