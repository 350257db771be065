/** Public interface of features/operator/backup. */
export { findLastBackups } from './last-backup.ts';
