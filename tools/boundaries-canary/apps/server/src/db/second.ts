import { first } from './first.ts'; // violates: import-cycle biome: noImportCycles

export const second: unknown = [first];
