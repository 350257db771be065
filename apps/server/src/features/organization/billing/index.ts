/** Public interface of features/organization/billing. */
export { endBilling, startClosing } from './closings.ts';
