// Argon2id from hash-wasm (RFC 9106), for browsers. Needs 'wasm-unsafe-eval' in the page's policy,
// 64 MiB, and about 0.3 s at the specified settings, so run it in a worker. The type is explicit
// because libraries differ in their defaults.

import { argon2id } from 'hash-wasm';
import type { Bytes } from '../platform.ts';
import type { Argon2id } from './port.ts';

export const javascriptArgon2id: Argon2id = async (password, salt, cost) =>
  (await argon2id({
    password,
    salt,
    iterations: cost.passes,
    memorySize: cost.memoryKib,
    parallelism: cost.lanes,
    hashLength: cost.outputBytes,
    outputType: 'binary',
  })) as Bytes;
