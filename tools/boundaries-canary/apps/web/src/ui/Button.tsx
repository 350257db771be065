import { mailKeys } from '../features/mail/queries.ts'; // violates: web-arrow biome: noRestrictedImports

export const Button = mailKeys;
