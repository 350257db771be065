/** What the rest of the server may use of features/operator/admin. */
export { keepAdmin } from './service.ts';
