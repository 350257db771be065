/**
 * The HTTP contract: the table of all calls, and the schemas and limits that client and server
 * share.
 */
import { accountCalls } from './calls/account.ts';
import { addressesCalls } from './calls/addresses.ts';
import { adminCalls } from './calls/admin.ts';
import { adminAccessCalls } from './calls/admin-access.ts';
import { authCalls } from './calls/auth.ts';
import { billingCalls } from './calls/billing.ts';
import { biometricsCalls } from './calls/biometrics.ts';
import { calendarCalls } from './calls/calendar.ts';
import { contactsCalls } from './calls/contacts.ts';
import { domainsCalls } from './calls/domains.ts';
import { eventsCalls } from './calls/events.ts';
import { importsCalls } from './calls/imports.ts';
import { joiningCalls } from './calls/joining.ts';
import { keyLogCalls } from './calls/key-log.ts';
import { keyRotationCalls } from './calls/key-rotation.ts';
import { mailCalls } from './calls/mail.ts';
import { mfaCalls } from './calls/mfa.ts';
import { notificationsCalls } from './calls/notifications.ts';
import { operationsCalls } from './calls/operations.ts';
import { organizationCalls } from './calls/organization.ts';
import { recordsCalls } from './calls/records.ts';
import { recoveryCalls } from './calls/recovery.ts';
import { remoteContentCalls } from './calls/remote-content.ts';
import { rulesCalls } from './calls/rules.ts';
import { searchCalls } from './calls/search.ts';
import { otpCalls, secondFactorCalls } from './calls/second-factor.ts';
import { securityCalls } from './calls/security.ts';
import { sendingCalls } from './calls/sending.ts';
import { serverImportsCalls } from './calls/server-imports.ts';
import { signInCalls } from './calls/sign-in.ts';
import { signUpCalls } from './calls/sign-up.ts';
import { signUpCodesCalls } from './calls/sign-up-codes.ts';
import { signaturesCalls } from './calls/signatures.ts';
import { tagsCalls } from './calls/tags.ts';

/** Every call of the product, by group and name. */
export const api = {
  account: accountCalls,
  addresses: addressesCalls,
  admin: adminCalls,
  admin_access: adminAccessCalls,
  auth: authCalls,
  billing: billingCalls,
  biometrics: biometricsCalls,
  calendar: calendarCalls,
  contacts: contactsCalls,
  domains: domainsCalls,
  events: eventsCalls,
  imports: importsCalls,
  joining: joiningCalls,
  key_log: keyLogCalls,
  key_rotation: keyRotationCalls,
  mail: mailCalls,
  mfa: mfaCalls,
  notifications: notificationsCalls,
  operations: operationsCalls,
  organization: organizationCalls,
  otp: otpCalls,
  records: recordsCalls,
  recovery: recoveryCalls,
  remote_content: remoteContentCalls,
  rules: rulesCalls,
  search: searchCalls,
  second_factor: secondFactorCalls,
  security: securityCalls,
  sending: sendingCalls,
  server_imports: serverImportsCalls,
  sign_in: signInCalls,
  sign_up: signUpCalls,
  sign_up_codes: signUpCodesCalls,
  signatures: signaturesCalls,
  tags: tagsCalls,
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
export { queryInput } from './calls/mail.ts';
export {
  type PushDevice,
  type PushPlatform,
  type PushPreferences,
  type PushType,
  pushPreferences,
} from './calls/notifications.ts';
export type {
  CertificateProblem,
  OperatedCertificate,
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
export {
  RULE_FIELDS,
  RULE_TESTS,
  type Rule,
  rule,
} from './calls/rules.ts';
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
export type { Access, Call, CallTable, Handlers, InputOf, OutputOf, Transport } from './core/call.ts';
export type { Email } from './core/email.ts';
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
