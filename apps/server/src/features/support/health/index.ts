/** What the rest of the server may use of features/support/health. */
export { checkReadiness, findOutage } from './service.ts';
