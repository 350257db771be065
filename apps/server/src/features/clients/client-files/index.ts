/** What the rest of the server may use of features/clients/client-files. */
export { createClientFiles, isHashedPath, isSharedPath, shareClientFiles } from './service.ts';
