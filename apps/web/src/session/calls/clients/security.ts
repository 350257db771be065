import { securityCalls } from '@keyfold/contract/calls/security';
import { clientOf } from '../client.ts';

export const securityClient = clientOf(securityCalls);
