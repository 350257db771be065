/** Job body of this feature: adds up the recorded changes in stored data. */
export { foldStorageCounts } from './storage-counts.ts';
