import { message } from '@keyfold/crypto/message';
import { permute } from '@keyfold/crypto/primitives/permute'; // violates: package-entry
import { unlock } from '@keyfold/crypto/vault'; // violates: server-crypto, server-private-keys biome: noRestrictedImports
import { build } from '@keyfold/testing/builders'; // violates: testing-in-product biome: noRestrictedImports
import { rename } from '../../reading/tags/index.ts'; // violates: server-area, feature-cycle
import { gone } from './gone.ts'; // violates: file-exists

export const service = [message, permute, unlock, build, gone, rename, process.env.SECRET]; // violates: environment
