/** Public interface of features/operator/admin. */
export { keepAdmin } from './service.ts';
