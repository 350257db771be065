import { mailKeys } from '../features/mail/state/queries.ts'; // violates: web-arrow biome: noRestrictedImports

export const Button = mailKeys;
