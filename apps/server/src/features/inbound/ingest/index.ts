/** Public interface of features/inbound/ingest. */
export {
  type ClearHeaders,
  formatClearHeaders,
  fromAddressOf,
  identityOf,
  readClearHeaders,
} from './clear-headers.ts';
export { kindOfFailure } from './failures.ts';
export type { Filed } from './filed.ts';
export { createGreylist } from './greylist.ts';
export type { Onward } from './onward.ts';
export { createRecipientResolver, findUnknown, type RecipientDecision } from './recipients.ts';
export {
  createImportedMail,
  createIngest,
  type ImportedMessage,
  type Ingest,
  sealNotice,
} from './service.ts';
export { findPostmaster } from './store.ts';
