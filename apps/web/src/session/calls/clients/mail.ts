/** Typed client for calls/mail.ts of the contract, shared by the modules that make these calls. */
import { mailCalls } from '@keyfold/contract/calls/mail';
import { clientOf } from '../client.ts';

export const mailClient = clientOf(mailCalls);
