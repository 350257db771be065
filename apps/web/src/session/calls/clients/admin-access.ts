import { adminAccessCalls } from '@keyfold/contract/calls/admin-access';
import { clientOf } from '../client.ts';

export const adminAccessClient = clientOf(adminAccessCalls);
