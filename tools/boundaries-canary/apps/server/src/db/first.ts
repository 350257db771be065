import { second } from './second.ts'; // biome: noImportCycles

export const first: unknown = [second];
