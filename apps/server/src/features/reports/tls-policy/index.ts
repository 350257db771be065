/**
 * TLS requirements of other domains, for the layers that send mail: their MTA-STS policies, and the
 * reports that they request. See mta-sts-resolver.ts and tls-reporter.ts.
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
