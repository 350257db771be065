// Seeded damage: the same number produces the same damaged file.

/** Returns numbers from 0 to 1, the same sequence for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/**
 * Returns a damaged copy. The seed selects the kind: bytes changed anywhere; bytes changed in the
 * tree pages and in the pointers to them; a piece moved over another; the end cut off, with and
 * without a matching header.
 */
export function damaged(file: Uint8Array<ArrayBuffer>, seed: number): Uint8Array<ArrayBuffer> {
  const random = seeded(seed);
  const at = (below: number): number => Math.floor(random() * below);
  const copy = file.slice();
  const kind = seed % 5;
  if (kind === 0) {
    for (let count = 1 + at(200); count > 0; count--) copy[at(copy.length)] = at(256);
  } else if (kind === 1) {
    const tail = Math.max(1, Math.floor(copy.length / 8));
    for (let count = 1 + at(60); count > 0; count--) copy[copy.length - 1 - at(tail)] = at(256);
    if (random() < 0.3) copy[0xb8 + at(64)] = at(256);
  } else if (kind === 2) {
    const length = 64 * (1 + at(16));
    const from = 64 * at(copy.length / 64);
    copy.copyWithin(64 * at(copy.length / 64), from, Math.min(copy.length, from + length));
  } else if (kind === 3) {
    return copy.slice(0, at(copy.length));
  } else {
    const end = at(copy.length);
    const cut = copy.slice(0, Math.max(1024, end));
    new DataView(cut.buffer).setUint32(0xb8, cut.length, true);
    for (let count = at(20); count > 0; count--) cut[at(cut.length)] = at(256);
    return cut;
  }
  return copy;
}
