/** Public interface of features/mailbox/messages. */
export { holdContainers } from './container-holds.ts';
export {
  type Container,
  containersOf,
  findReadable,
  findReferringMails,
  lockContainers,
} from './container-store.ts';
export { discardContainer, storeContainer } from './containers.ts';
export { addContainer, lockDraft, removeContainer, replaceDraft } from './drafting.ts';
export { changeFlags, lockMails } from './flag-changes.ts';
export { isHeldCopy, markSent, turnIntoDraft } from './holding.ts';
export { findMailsNamed, hasMail, isSameMail, type MailIdentity } from './known-mail.ts';
export { type NewMail, sizeOf } from './new-mail.ts';
export { foldForSearch } from './people.ts';
export { removeMails } from './removal.ts';
export { readSealedBody, readSealedSummary } from './sealed-form.ts';
export { storeMails } from './service.ts';
export { ALL_MAILS, lockMailboxes, touchMailbox } from './store.ts';
export { replaceSummary } from './summaries.ts';
export { keyOfTag, replaceTags } from './tagging.ts';
