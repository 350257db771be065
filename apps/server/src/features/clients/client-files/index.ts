/** Public interface of features/clients/client-files for the rest of the server. */
export { createClientFiles, isHashedPath, isSharedPath, shareClientFiles } from './service.ts';
