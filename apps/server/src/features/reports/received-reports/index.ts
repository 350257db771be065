/** What the rest of the server may use of features/reports/received-reports. */
export { FEEDBACK_FIELD } from './feedback.ts';
export {
  countComplaints,
  createReportReceiver,
  forgetReceivedReports,
  makeFeedbackId,
  type ReportReceiver,
  viewReceivedReports,
} from './service.ts';
export type { Complaints } from './store.ts';
