/** What the rest of the server may use of features/inbound/analytics. */
export { type Arrival, countArrivals, hasAnalytics } from './service.ts';
