/** What the rest of the server may use of features/organization/members. */
export { leaveForGood } from './service.ts';
