/** Public interface of features/reports/report-aggregator. */
export { buildReportMail } from './report-mail.ts';
export { createLedger, type DueReport, workOffDue } from './service.ts';
