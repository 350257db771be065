import { addressesCalls } from '@keyfold/contract/calls/addresses';
import { clientOf } from '../client.ts';

export const addressesClient = clientOf(addressesCalls);
