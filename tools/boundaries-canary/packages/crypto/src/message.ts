import { createHash } from 'node:crypto'; // violates: node-builtin biome: noRestrictedImports
import { open } from './login.ts'; // violates: server-private-keys
import { send } from 'undici'; // violates: package-library

export const message = [createHash, open, send];
