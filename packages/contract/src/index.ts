/**
 * The HTTP contract: the table of all calls, and the schemas and limits that client and server share.
 */
import { adminApi } from './calls/admin.ts';
import { biometricsApi } from './calls/biometrics.ts';
import { enteringApi } from './calls/entering.ts';
import { importApi } from './calls/imports.ts';
import { joiningApi } from './calls/joining.ts';
import { lettersApi } from './calls/letters.ts';
import { mailboxApi } from './calls/mailbox.ts';
import { notificationsApi } from './calls/notifications.ts';
import { operationsApi } from './calls/operations.ts';
import { secondStepApi } from './calls/second-step.ts';
import { serverImportApi } from './calls/server-imports.ts';
import { settingsApi } from './calls/settings.ts';
import { signUpCodesApi } from './calls/sign-up-codes.ts';

/** Every call of the product by group and name. */
export const api = {
  ...mailboxApi,
  ...lettersApi,
  ...settingsApi,
  ...enteringApi,
  ...secondStepApi,
  ...joiningApi,
  ...importApi,
  ...adminApi,
  ...notificationsApi,
  ...operationsApi,
  ...serverImportApi,
  ...signUpCodesApi,
  ...biometricsApi,
} as const;

export { LOGIN_OUTCOMES, type LoginRecord, type OwnSession } from './calls/account.ts';
export type { OwnAddress } from './calls/addresses.ts';
export type { AdminStats, AdminUser, AuditRecord, MailHold } from './calls/admin.ts';
export type { OfferedPlan, SubscriptionStatus } from './calls/billing.ts';
export { RSVP_ANSWERS } from './calls/calendar.ts';
export {
  type DomainInfo,
  type DomainRecord,
  RECORD_ADVICE,
  RECORD_PURPOSES,
} from './calls/domains.ts';
export { EVENT_NAMES, type EventName } from './calls/events.ts';
export type { NewPasskey, PasskeyAnswer } from './calls/factor-proof.ts';
export type { OldWrap, RetiredState } from './calls/key-rotation.ts';
export { type Email, queryInput } from './calls/mail.ts';
export {
  type PushDevice,
  type PushPlatform,
  type PushPreferences,
  type PushType,
  pushPreferences,
} from './calls/notifications.ts';
export type {
  OperatedDomain,
  OperatedJob,
  OperatedPush,
  OperatedStorage,
  QueueDomain,
  QueueEntry,
  ReportedDomain,
} from './calls/operations.ts';
export type {
  ConnectedDomain,
  Organization,
  OrganizationLogEntry,
  OrganizationMember,
  OrganizationRight,
} from './calls/organization.ts';
export { ORGANIZATION_RIGHTS } from './calls/organization.ts';
export { findScheduledOf, RECORD_KINDS, scheduledBccRecord } from './calls/records.ts';
export type { OwnPasskey, SecondFactorStatus } from './calls/second-factor.ts';
export {
  type ArrivalDay,
  type CustomRule,
  type SecuritySettings,
  type SecurityStats,
  securitySettings,
} from './calls/security.ts';
export type { Recipient } from './calls/sending.ts';
export { captchaChallenge } from './calls/sign-up.ts';
export type { AffiliateCode, InvitationCode } from './calls/sign-up-codes.ts';
export type { Signature } from './calls/signatures.ts';
export {
  RULE_FIELDS,
  RULE_TESTS,
  type Rule,
  rule,
} from './calls/triage.ts';
export type { Access, Call, CallTable, Handlers, InputOf, OutputOf, Transport } from './core/call.ts';
export { type FailureBody, failureBody } from './core/envelope.ts';
export { FOLDER_FILTERS, type FolderName, TAG_FILTER } from './core/folders.ts';
export {
  type AddressKeys,
  type Contact,
  loginHash,
  type MainKey,
  mainKey,
  type RetiredKey,
  type Tag,
  type User,
} from './core/user.ts';
