/**
 * Job body that tells of holds which the request that made them could not tell of.
 */
export { tellHolds } from './service.ts';
