/** Public interface of features/operator/server-key. */
export { openServerKey, replaceServerKey } from './service.ts';
