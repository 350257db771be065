/** Public interface of features/reading/tags. */
export { ensureTag } from './service.ts';
