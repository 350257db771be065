export { rename } from './service.ts';
