import { clean } from '../../mail/src/addresses.ts'; // violates: package-entry

export const build = clean;
