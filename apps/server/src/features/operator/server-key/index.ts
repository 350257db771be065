/** What the rest of the server may use of features/operator/server-key. */
export { openServerKey, replaceServerKey } from './service.ts';
