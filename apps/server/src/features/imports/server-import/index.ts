/** What the rest of the server may use of features/imports/server-import. */
export type { ImportRunner } from './runner.ts';
export { createImapRunner, createPstRunner, endImportsOfSuspended, tidyUpImports } from './service.ts';
