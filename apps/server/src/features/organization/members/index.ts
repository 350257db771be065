/** Public interface of features/organization/members. */
export { leaveForGood } from './service.ts';
