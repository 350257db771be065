/**
 * Choices and bytes derived from a seed, so that a round of the crash test can be repeated. Effects
 * of the machine, such as scheduling, are not reproduced.
 */
import { createCipheriv, createHash } from 'node:crypto';

export type SeededRandom = {
  /** Returns an integer between `min` and `max`, both included. */
  readonly int: (min: number, max: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
  /** Returns `count` different items in random order. */
  readonly sample: <T>(list: readonly T[], count: number) => T[];
  readonly bytes: (sizeBytes: number) => Buffer;
};

const KEY_BYTES = 16;

export function createSeededRandom(seed: number): SeededRandom {
  const key = createHash('sha256').update(`crash ${seed}`).digest().subarray(0, KEY_BYTES);
  const stream = createCipheriv('aes-128-ctr', key, Buffer.alloc(KEY_BYTES));
  const bytes = (sizeBytes: number): Buffer => stream.update(Buffer.alloc(sizeBytes));
  const int = (min: number, max: number): number => min + (bytes(4).readUInt32LE() % (max - min + 1));
  return {
    int,
    bytes,
    chance: probability => int(0, 999_999) < probability * 1_000_000,
    pick: list => list[int(0, list.length - 1)] ?? list[0],
    sample: (list, count) => {
      const left = [...list];
      return Array.from({ length: Math.min(count, left.length) }, () =>
        left.splice(int(0, left.length - 1), 1),
      ).flat();
    },
  };
}
