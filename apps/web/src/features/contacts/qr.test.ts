// A generated QR code, scaled down and gray as in a photograph, is read by the decoder that reads
// pictures.
import decode from 'qr/decode.js';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { toQrText } from './SafetyNumber.tsx';

const number = Array.from({ length: 12 }, (_, index) => String(7_919 * (index + 1)).padStart(5, '0')).join(
  ' ',
);

test('the QR code of a safety number is decoded from a picture', () => {
  const { size, data } = encode(toQrText(number), { ecc: 'M', border: 3 });
  for (const width of [160, 213, 480]) {
    const pixels = new Uint8Array(width * width * 4);
    for (let y = 0; y < width; y++)
      for (let x = 0; x < width; x++) {
        const isDark = data[Math.floor((y * size) / width)]?.[Math.floor((x * size) / width)] ?? false;
        pixels.set([...(isDark ? [40, 40, 50] : [225, 220, 215]), 255], (y * width + x) * 4);
      }
    expect(decode({ width, height: width, data: pixels }, { timeLimit: 3_000 })).toBe(toQrText(number));
  }
});
