import { message } from '@keyfold/crypto/message'; // violates: room-arrow biome: noRestrictedImports

export const api = { message };
