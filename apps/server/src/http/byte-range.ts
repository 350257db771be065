/**
 * Reads the Range header of a download (RFC 9110 §14): one range of bytes, as a resumed download asks for. Several ranges
 * in one request are answered with the whole file, which the RFC allows.
 */
import type { ByteRange } from '../adapters/blobs.ts';

/** The range asked for; 'whole' when none is (or none that we serve), 'outside' when it lies beyond the file. */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'outside' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'outside' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  // A range that ends before it starts is no range at all: it is ignored, as the RFC says.
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= sizeBytes ? 'outside' : { start, end };
}
