import { contactsCalls } from '@keyfold/contract/calls/contacts';
import { clientOf } from '../client.ts';

export const contactsClient = clientOf(contactsCalls);
