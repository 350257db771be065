/** Public interface of features/imports/server-import for the rest of the server. */
export type { ImportRunner } from './runner.ts';
export { createImapRunner, createPstRunner, endImportsOfSuspended, tidyUpImports } from './service.ts';
