/** Public interface of features/inbound/analytics. */
export { type Arrival, countArrivals, hasAnalytics } from './service.ts';
