// Writes a brotli and a gzip variant beside each file of the build, for servers that send them to
// clients that accept them. Maximum compression costs a few seconds at build time and nothing at
// page load.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|html|svg|wasm|webmanifest)$/;
/** Below this size, the response headers are larger than the savings. */
const LEAST_BYTES = 1_024;
/** For a bundle of megabytes, maximum compression takes ten seconds and slightly less takes one. */
const LARGE_BYTES = 1_000_000;
const LARGE_QUALITY = 9;

const packBrotli = promisify(brotliCompress);
const variants = {
  br: (plain: Buffer) =>
    packBrotli(
      plain,
      plain.length < LARGE_BYTES ? {} : { params: { [constants.BROTLI_PARAM_QUALITY]: LARGE_QUALITY } },
    ),
  gz: promisify(gzip) as (plain: Buffer) => Promise<Buffer>,
} as const;

async function writeVariants(file: string): Promise<void> {
  const plain = await readFile(file);
  if (plain.length < LEAST_BYTES) return;
  for (const [ending, compress] of Object.entries(variants)) {
    const packed = await compress(plain);
    if (packed.length < plain.length) await writeFile(`${file}.${ending}`, packed);
  }
}

/**
 * Returns the plugin, which runs last, when all files are on disk. Builds that are not minified are
 * for inspection and are left unchanged.
 */
export function compressOutput(): Plugin {
  let isShipped = true;
  return {
    name: 'keyfold-compress-output',
    apply: 'build',
    enforce: 'post',
    configResolved({ build }) {
      isShipped = build.minify !== false;
    },
    async writeBundle({ dir }, bundle) {
      if (!isShipped) return;
      const names = Object.keys(bundle).filter(name => compressible.test(name));
      await Promise.all(names.map(name => writeVariants(path.join(dir ?? '', name))));
    },
  };
}
