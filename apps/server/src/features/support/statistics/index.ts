/** What the rest of the server may use of features/support/statistics. */
export { countSent, findPageStart, getStatistics } from './service.ts';
export { countUsers } from './store.ts';
