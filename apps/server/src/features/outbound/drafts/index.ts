/** Public interface of features/outbound/drafts. */
export { checkedContainer } from './container-check.ts';
export { attachmentsOf, takeDraft } from './service.ts';
