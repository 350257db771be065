/**
 * What other domains say about TLS on the way to them, for the rooms that send: their MTA-STS policies, and the reports that
 * they ask for. See policy-desk.ts and report-desk.ts.
 */
export { createMtaStsResolver, type MtaStsResolver, type StsFinding } from './mta-sts-resolver.ts';
export { createReportBounds } from './report-bounds.ts';
export { isMxAllowed } from './sts-policy.ts';
export {
  createTlsReporter,
  type SendReportMail,
  sendDueTlsReports,
  type TlsReporter,
} from './tls-reporter.ts';
export type { TlsResult } from './tls-results.ts';
