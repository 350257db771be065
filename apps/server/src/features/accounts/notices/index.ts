/** What the rest of the server may use of features/accounts/notices. */
export type { NoticeFacts } from './notice-mail.ts';
export { type Notice, type PlacedNotice, storeNotice } from './service.ts';
