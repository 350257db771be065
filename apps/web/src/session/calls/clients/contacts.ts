/**
 * Typed client for calls/contacts.ts of the contract, shared by the modules that make these calls.
 */
import { contactsCalls } from '@keyfold/contract/calls/contacts';
import { clientOf } from '../client.ts';

export const contactsClient = clientOf(contactsCalls);
