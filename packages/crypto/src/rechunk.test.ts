// Cutting a stream into blocks: the blocks do not depend on the sizes of the pieces.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rechunk } from './rechunk.ts';

async function blocksOf(pieces: readonly Uint8Array[], blockBytes: number) {
  const blocks: { bytes: number[]; isLast: boolean }[] = [];
  for await (const { bytes, isLast } of rechunk(pieces, blockBytes))
    blocks.push({ bytes: [...bytes], isLast });
  return blocks;
}

it('returns full blocks and one last block for any input pieces', async () => {
  const input = fc.tuple(
    fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 9 }),
    fc.integer({ min: 1, max: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(input, async ([pieces, blockBytes]) => {
      const blocks = await blocksOf(pieces, blockBytes);
      const all = pieces.flatMap(piece => [...piece]);
      expect(blocks.flatMap(block => block.bytes)).toEqual(all);
      expect(blocks.map(block => block.isLast)).toEqual(blocks.map((_, i) => i === blocks.length - 1));
      expect(blocks.length).toBe(Math.max(1, Math.ceil(all.length / blockBytes)));
      for (const block of blocks.slice(0, -1)) expect(block.bytes.length).toBe(blockBytes);
    }),
  );
});

it('returns one empty last block for an empty source', async () => {
  expect(await blocksOf([], 4)).toEqual([{ bytes: [], isLast: true }]);
  expect(await blocksOf([new Uint8Array(0)], 4)).toEqual([{ bytes: [], isLast: true }]);
});

it('passes an error of the source through unchanged', async () => {
  const lost = new Error('connection lost');
  async function* source() {
    yield Uint8Array.of(1);
    throw lost;
  }
  const drain = async () => {
    for await (const block of rechunk(source(), 4)) expect(block).toBeDefined();
  };
  await expect(drain()).rejects.toBe(lost);
});
