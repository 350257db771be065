import { billingCalls } from '@keyfold/contract/calls/billing';
import { clientOf } from '../client.ts';

export const billingClient = clientOf(billingCalls);
