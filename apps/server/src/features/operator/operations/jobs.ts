/**
 * Job body of this feature: adding up the noted changes of what is stored.
 */
export { foldStorageCounts } from './storage-counts.ts';
