export { page } from './service.ts';
