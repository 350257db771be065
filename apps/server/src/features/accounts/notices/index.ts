/** Public interface of features/accounts/notices for the rest of the server. */
export type { NoticeFacts } from './notice-mail.ts';
export { type Notice, type PlacedNotice, storeNotice } from './service.ts';
