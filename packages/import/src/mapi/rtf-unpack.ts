// Decompresses Outlook's compressed RTF ([MS-OXRTFCP]): literal bytes and references into the last
// 4096 bytes, a window that starts out with common RTF fragments.

import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { RTF_MAX_BYTES } from './limits.ts';

const PACKED = 0x75465a4c; // 'LZFu'
const PLAIN = 0x414c454d; // 'MELA'
const HEADER_BYTES = 16;
const WINDOW = 4096;
const START =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor ' +
  'MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
  '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

/**
 * Returns the RTF of a compressed property. Truncated input yields what there is. Throws `damaged`
 * when the input is not in this format.
 */
export function unpackRtf(packed: Uint8Array): Uint8Array {
  if (packed.length < HEADER_BYTES) throw new ImportError('damaged');
  const view = viewOf(packed);
  const size = view.getUint32(4, true);
  const kind = view.getUint32(8, true);
  if (kind === PLAIN && Math.min(size, packed.length) > RTF_MAX_BYTES) throw new ImportError('too_large');
  if (kind === PLAIN) return packed.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (kind !== PACKED) throw new ImportError('damaged');
  if (size > RTF_MAX_BYTES) throw new ImportError('too_large');
  const recent = new Uint8Array(WINDOW);
  for (let index = 0; index < START.length; index++) recent[index] = START.charCodeAt(index);
  // Seventeen bytes hold at most eight references of seventeen bytes each.
  const out = new Uint8Array(Math.min(size, packed.length * 9));
  let [from, to, position] = [HEADER_BYTES, 0, START.length];
  const put = (byte: number): void => {
    out[to++] = byte;
    recent[position] = byte;
    position = (position + 1) % WINDOW;
  };
  while (from < packed.length && to < out.length) {
    let flags = packed[from++] as number;
    for (let bit = 0; bit < 8 && from < packed.length && to < out.length; bit++, flags >>= 1) {
      if ((flags & 1) === 0) {
        put(packed[from++] as number);
        continue;
      }
      if (from + 1 >= packed.length) return out.subarray(0, to);
      const word = ((packed[from] as number) << 8) | (packed[from + 1] as number);
      from += 2;
      const start = word >> 4;
      if (start === position) return out.subarray(0, to);
      const length = (word & 15) + 2;
      for (let index = 0; index < length && to < out.length; index++)
        put(recent[(start + index) % WINDOW] as number);
    }
  }
  return out.subarray(0, to);
}
