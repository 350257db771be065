/** Public interface of features/support/statistics. */
export { countSent, findPageStart, getStatistics } from './service.ts';
export { countUsers } from './store.ts';
