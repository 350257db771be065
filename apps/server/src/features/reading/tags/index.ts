/** What the rest of the server may use of features/reading/tags. */
export { ensureTag } from './service.ts';
