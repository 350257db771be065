import { message } from '@keyfold/crypto/message'; // violates: workspace-import biome: noRestrictedImports

export const api = { message };
