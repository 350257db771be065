// Containers: streaming, random access, sizes, and chunk manipulation by a hostile server.

import { describe, expect, it } from 'vitest';
import {
  CHUNK_BYTES,
  containerHeaderBytes,
  containerLayout,
  createFileKey,
  openAttachment,
  openChunk,
  openWholeAttachment,
  readAttachmentHeader,
  sealAttachment,
  sealedAttachmentBytes,
  sealWholeAttachment,
} from './attachment.ts';
import { concatBytes, equalBytes } from './bytes.ts';
import { createMessageKey } from './message.ts';

const SEALED = CHUNK_BYTES + 16;
const REFUSED = /^Failed to decrypt message$/;
const messageKey = createMessageKey();

function makeFile(sizeBytes: number) {
  const bytes = new Uint8Array(sizeBytes);
  for (let i = 0; i < sizeBytes; i++) bytes[i] = (31 * i + 7) & 255;
  const meta = { name: 'größe.bin', type: 'application/octet-stream', size: sizeBytes };
  return { bytes, meta, messageKey, fileKey: createFileKey() };
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return concatBytes(...all);
}

async function* inPieces(bytes: Uint8Array, pieceBytes: number) {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes);
}

describe('an attachment container', () => {
  for (const sizeBytes of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES])
    it(`of ${sizeBytes} bytes is sealed and opened in pieces of any size`, async () => {
      const file = makeFile(sizeBytes);
      const container = await collect(sealAttachment({ ...file, source: inPieces(file.bytes, 99_991) }));
      expect(container.length).toBe(sealedAttachmentBytes(file.meta));
      const opened = await collect(openAttachment(file.fileKey, inPieces(container, 65_537)));
      expect(equalBytes(opened, file.bytes)).toBe(true);
      const layout = containerLayout(containerHeaderBytes(container), container.length);
      expect(layout.plainSizeBytes).toBe(sizeBytes);
      expect(layout.chunkCount).toBe(Math.max(1, Math.ceil(sizeBytes / CHUNK_BYTES)));
    });

  it('opens when its header arrives byte by byte', async () => {
    const file = makeFile(5);
    const container = await sealWholeAttachment(file);
    expect(await collect(openAttachment(file.fileKey, inPieces(container, 1)))).toEqual(file.bytes);
  });

  it('opens any single chunk from its byte range', async () => {
    const file = makeFile(2 * CHUNK_BYTES + 5);
    const container = await sealWholeAttachment(file);
    const layout = containerLayout(containerHeaderBytes(container.subarray(0, 8)), container.length);
    const { startByte, endByte, isLast } = layout.chunk(1);
    const plain = await openChunk(file.fileKey, 1, isLast, container.subarray(startByte, endByte));
    expect(equalBytes(plain, file.bytes.subarray(CHUNK_BYTES, 2 * CHUNK_BYTES))).toBe(true);
    expect(layout.chunk(2)).toMatchObject({ isLast: true, endByte: container.length });
    expect(() => layout.chunk(3)).toThrow(REFUSED);
    expect(() => layout.chunk(0.5)).toThrow(REFUSED);
  });

  it('protects name, type and file key with the message key only', async () => {
    const file = makeFile(3);
    const container = await sealWholeAttachment(file);
    const { fileKey, meta } = await readAttachmentHeader(messageKey, container);
    expect({ fileKey, meta }).toEqual({ fileKey: file.fileKey, meta: file.meta });
    await expect(readAttachmentHeader(createMessageKey(), container)).rejects.toThrow(REFUSED);
    expect(new TextDecoder('latin1').decode(container)).not.toContain('bin');
  });

  it('leaves the bytes it seals unchanged', async () => {
    const file = makeFile(70);
    const before = structuredClone(file);
    await openWholeAttachment(file.fileKey, await sealWholeAttachment(file));
    expect(file).toEqual(before);
  });
});

describe('sealing', () => {
  it('refuses a source shorter or longer than declared', async () => {
    const file = makeFile(10);
    for (const size of [9, 11])
      await expect(sealWholeAttachment({ ...file, meta: { ...file.meta, size } })).rejects.toThrow(
        /^Failed to encrypt message$/,
      );
  });

  it('refuses metadata that no reader would accept', async () => {
    const file = makeFile(0);
    for (const wrong of [{ size: -1 }, { size: 0.5 }, { name: 7 }, { name: 'x'.repeat(65_536) }])
      await expect(
        sealWholeAttachment({ ...file, meta: { ...file.meta, ...wrong } as never }),
      ).rejects.toThrow(/^Failed to encrypt message$/);
  });

  it('passes an error of the source through unchanged', async () => {
    const lost = new Error('disk gone');
    async function* source() {
      yield Uint8Array.of(1);
      throw lost;
    }
    const file = makeFile(9);
    await expect(collect(sealAttachment({ ...file, source: source() }))).rejects.toBe(lost);
  });
});

describe('a hostile server', () => {
  it('cannot truncate, append, swap, repeat or drop chunks', async () => {
    const file = makeFile(3 * CHUNK_BYTES);
    const container = await sealWholeAttachment(file);
    const start = containerHeaderBytes(container);
    const header = container.subarray(0, start);
    const chunk = (i: number) => container.subarray(start + i * SEALED, start + (i + 1) * SEALED);
    const attempts = {
      cut: [header, chunk(0), chunk(1)],
      swapped: [header, chunk(1), chunk(0), chunk(2)],
      repeated: [header, chunk(0), chunk(0), chunk(1), chunk(2)],
      dropped: [header, chunk(0), chunk(2)],
      appended: [container, chunk(2)],
      'one byte more': [container, Uint8Array.of(0)],
      'no chunk': [header],
    };
    for (const [name, parts] of Object.entries(attempts))
      await expect(openWholeAttachment(file.fileKey, concatBytes(...parts)), name).rejects.toThrow(REFUSED);
  });

  it('cannot mix the chunks of two files', async () => {
    const [one, two] = [makeFile(8), makeFile(8)];
    const [left, right] = await Promise.all([sealWholeAttachment(one), sealWholeAttachment(two)]);
    const mixed = concatBytes(
      left.subarray(0, containerHeaderBytes(left)),
      right.subarray(containerHeaderBytes(right)),
    );
    await expect(openWholeAttachment(one.fileKey, mixed)).rejects.toThrow(REFUSED);
  });

  it('cannot make the reader allocate memory with a huge header size', () => {
    const prefix = Uint8Array.of(0x4b, 0x46, 0x41, 0x31, 255, 255, 255, 255);
    expect(() => containerHeaderBytes(prefix)).toThrow(REFUSED);
    expect(() => containerHeaderBytes(prefix.subarray(0, 7))).toThrow(REFUSED);
    expect(() => containerHeaderBytes(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 90))).toThrow(REFUSED);
  });

  it('cannot declare impossible container sizes', () => {
    for (const sizeBytes of [0, 100, 100 + 15, 100 + SEALED + 1, 100 + SEALED + 16, Number.NaN])
      expect(() => containerLayout(100, sizeBytes), String(sizeBytes)).toThrow(REFUSED);
    expect(containerLayout(100, 116)).toMatchObject({ chunkCount: 1, plainSizeBytes: 0 });
    expect(containerLayout(100, 100 + SEALED + 17)).toMatchObject({
      chunkCount: 2,
      plainSizeBytes: CHUNK_BYTES + 1,
    });
  });
});

it('never returns an unauthenticated chunk', async () => {
  const file = makeFile(2 * CHUNK_BYTES);
  const container = await sealWholeAttachment(file);
  const last = container.length - 1;
  container[last] = (container[last] as number) ^ 1;
  const seen: number[] = [];
  const read = async () => {
    for await (const piece of openAttachment(file.fileKey, [container])) seen.push(piece.length);
  };
  await expect(read()).rejects.toThrow(REFUSED);
  expect(seen).toEqual([CHUNK_BYTES]);
});
