/** Public interface of features/operator/operations. */
export { publishOperationsGauges } from './gauges.ts';
export { registerJobs, runNoted } from './job-runs.ts';
export { foldStorageCounts } from './storage-counts.ts';
