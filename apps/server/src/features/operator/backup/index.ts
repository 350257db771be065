/** What other features may use of backups. */
export { findLastBackups } from './last-backup.ts';
