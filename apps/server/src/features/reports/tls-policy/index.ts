/**
 * What other domains say about TLS on the way to them, for the rooms that send: their MTA-STS policies, and the reports that
 * they ask for. See policy-desk.ts and report-desk.ts.
 */
export { createStsDesk, type StsDesk, type StsFinding } from './policy-desk.ts';
export { createReportBounds } from './report-bounds.ts';
export { createTlsLedger, type SendReportMail, sendDueTlsReports, type TlsLedger } from './report-desk.ts';
export { isMxAllowed } from './sts-policy.ts';
export type { TlsResult } from './tls-results.ts';
