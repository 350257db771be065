/** Public interface of features/support/audit. */
export {
  type AuditActor,
  type AuditEntry,
  findLastEntryAt,
  readAudit,
  readOrganizationLog,
  writeAudit,
} from './service.ts';
export { findSuspensionReason } from './store.ts';
