/** Public interface of features/clients/notifications for the rest of the server. */
export { createGatherer } from './gather.ts';
export { publishPushGauges } from './gauges.ts';
export { deleteOldJobs } from './queue-store.ts';
export { viewOperatedPush } from './service.ts';
export { onPushSignal } from './signal.ts';
export { deleteDeadDevices } from './store.ts';
export { createQueues, createSenders, type PushQueue } from './worker.ts';
