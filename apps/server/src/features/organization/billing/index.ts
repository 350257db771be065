/** What the rest of the server may use of features/organization/billing. */
export { endBilling, startClosing } from './closings.ts';
