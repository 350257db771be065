import { domainsCalls } from '@keyfold/contract/calls/domains';
import { clientOf } from '../client.ts';

export const domainsClient = clientOf(domainsCalls);
