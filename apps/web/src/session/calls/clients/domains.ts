/**
 * Typed client for calls/domains.ts of the contract, shared by the modules that make these calls.
 */
import { domainsCalls } from '@keyfold/contract/calls/domains';
import { clientOf } from '../client.ts';

export const domainsClient = clientOf(domainsCalls);
