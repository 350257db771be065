import { message } from '@keyfold/crypto/message';
import { permute } from '@keyfold/crypto/primitives/permute'; // violates: package-door
import { unlock } from '@keyfold/crypto/vault'; // violates: server-crypto, server-private-keys biome: noRestrictedImports
import { build } from '@keyfold/testing/builders'; // violates: testing-in-product biome: noRestrictedImports
import { gone } from './gone.ts'; // violates: file-exists

export const service = [message, permute, unlock, build, gone, process.env.SECRET]; // violates: environment
