/**
 * Typed client for calls/organization.ts of the contract, shared by the modules that make these
 * calls.
 */
import { organizationCalls } from '@keyfold/contract/calls/organization';
import { clientOf } from '../client.ts';

export const organizationClient = clientOf(organizationCalls);
