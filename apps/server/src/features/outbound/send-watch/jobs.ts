/** Job body that sends the notices about holds that the original request could not send. */
export { tellHolds } from './service.ts';
