import { clean } from '../../mail/src/addresses.ts'; // violates: package-door

export const build = clean;
