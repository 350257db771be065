/** Public interface of features/reports/received-reports. */
export { FEEDBACK_FIELD } from './feedback.ts';
export { makeFeedbackId } from './feedback-id.ts';
export { createReportReceiver, type ReportReceiver } from './receiver.ts';
export {
  type Complaints,
  countComplaints,
  forgetReceivedReports,
  viewReceivedReports,
} from './store.ts';
