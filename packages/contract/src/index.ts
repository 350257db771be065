/**
 * The HTTP contract: the table of all calls, and the schemas and limits that client and server share.
 */
import { adminApi } from './admin.ts';
import { biometricsApi } from './biometrics.ts';
import { enteringApi } from './entering.ts';
import { importApi } from './imports.ts';
import { joiningApi } from './joining.ts';
import { lettersApi } from './letters.ts';
import { mailboxApi } from './mailbox.ts';
import { notificationsApi } from './notifications.ts';
import { operationsApi } from './operations.ts';
import { secondStepApi } from './second-step.ts';
import { serverImportApi } from './server-imports.ts';
import { settingsApi } from './settings.ts';
import { signupCodesApi } from './signup-codes.ts';

/** Every call of the product by group and name. */
export const api = {
  ...mailboxApi,
  ...lettersApi,
  ...settingsApi,
  ...secondStepApi,
  ...joiningApi,
  ...importApi,
  ...adminApi,
  ...notificationsApi,
  ...operationsApi,
  ...serverImportApi,
  ...signupCodesApi,
  ...biometricsApi,
  auth: { ...mailboxApi.auth, ...enteringApi.auth, ...secondStepApi.auth, ...adminApi.auth },
} as const;

export { LOGIN_OUTCOMES, type LoginRecord, type OwnSession } from './account.ts';
export type { OwnAddress } from './addresses.ts';
export type { AdminStats, AdminUser, AuditRecord, MailHold } from './admin.ts';
export type { OfferedPlan, SubscriptionStatus } from './billing.ts';
export type { Access, Call, CallTable, Handlers, InputOf, OutputOf, Transport } from './call.ts';
export {
  type DomainInfo,
  type DomainRecord,
  RECORD_ADVICE,
  RECORD_PURPOSES,
} from './domains.ts';
export { captchaChallenge, loginHash } from './entering.ts';
export { type FailureBody, failureBody } from './envelope.ts';
export { EVENT_NAMES, type EventName } from './events.ts';
export type { NewPasskey, PasskeyAnswer } from './factor-proof.ts';
export { FOLDER_FILTERS, type FolderName, TAG_FILTER } from './folders.ts';
export { RSVP_ANSWERS } from './invitations.ts';
export { type Email, queryInput } from './mail.ts';
export {
  type PushDevice,
  type PushPlatform,
  type PushPreferences,
  type PushType,
  pushPreferences,
} from './notifications.ts';
export type {
  OperatedDomain,
  OperatedJob,
  OperatedPush,
  OperatedStorage,
  QueueDomain,
  QueueEntry,
  ReportedDomain,
} from './operations.ts';
export {
  RULE_FIELDS,
  RULE_TESTS,
  type Rule,
  rule,
} from './organising.ts';
export type {
  ConnectedDomain,
  Organization,
  OrganizationLogEntry,
  OrganizationMember,
  OrganizationRight,
} from './organization.ts';
export { ORGANIZATION_RIGHTS } from './organization.ts';
export type { OldWrap, RetiredState } from './own-keys.ts';
export { findScheduledOf, RECORD_KINDS, scheduledBccRecord } from './records.ts';
export type { OwnPasskey, SecondFactorStatus } from './second-factor.ts';
export {
  type ArrivalDay,
  type CustomRule,
  type SecuritySettings,
  type SecurityStats,
  securitySettings,
} from './security.ts';
export type { Recipient } from './sending.ts';
export type { Signature } from './signatures.ts';
export type { AffiliateCode, InvitationCode } from './signup-codes.ts';
export {
  type AddressKeys,
  type Contact,
  type MainKey,
  mainKey,
  type RetiredKey,
  type Tag,
  type User,
} from './user.ts';
