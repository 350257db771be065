/** Public interface of features/reports/dmarc-reports. */
export type { DmarcResult } from './dmarc-results.ts';
export { createDmarcLedger, type DmarcLedger, sendDueDmarcReports } from './service.ts';
