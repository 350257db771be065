import { organizationCalls } from '@keyfold/contract/calls/organization';
import { clientOf } from '../client.ts';

export const organizationClient = clientOf(organizationCalls);
