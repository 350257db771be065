/** Public interface of features/support/health. */
export { checkReadiness, findOutage } from './service.ts';
