import { mailKeys } from '../features/mail/state/queries.ts'; // violates: web-area biome: noRestrictedImports

export const Button = mailKeys;
