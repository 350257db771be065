/**
 * Typed client for calls/addresses.ts of the contract, shared by the modules that make these calls.
 */
import { addressesCalls } from '@keyfold/contract/calls/addresses';
import { clientOf } from '../client.ts';

export const addressesClient = clientOf(addressesCalls);
