/**
 * Typed client for calls/billing.ts of the contract, shared by the modules that make these calls.
 */
import { billingCalls } from '@keyfold/contract/calls/billing';
import { clientOf } from '../client.ts';

export const billingClient = clientOf(billingCalls);
