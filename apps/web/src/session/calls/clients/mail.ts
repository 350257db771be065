import { mailCalls } from '@keyfold/contract/calls/mail';
import { clientOf } from '../client.ts';

export const mailClient = clientOf(mailCalls);
