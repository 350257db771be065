// Videos for Chromium's fake camera (--use-file-for-fake-video-capture): a QR code, gray and
// slightly off center, as if held by hand. The format is YUV4MPEG2: a line of text, then frames of
// raw planes.
import { encode } from 'uqr';

const WIDTH = 640;
const HEIGHT = 480;
const FRAME_COUNT = 3;
/** Side length of the code and its position, in pixels. */
const SIDE = 330;
const LEFT = 170;
const TOP = 60;

/** Returns the luminance of one frame: paper with the code on it, in front of a gray wall. */
function luma(text: string): Buffer {
  const { size, data } = encode(text, { ecc: 'M', border: 3 });
  const plane = Buffer.alloc(WIDTH * HEIGHT, 120);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const isDark = data[Math.floor((y * size) / SIDE)]?.[Math.floor((x * size) / SIDE)] ?? false;
      plane[(TOP + y) * WIDTH + LEFT + x] = isDark ? 45 : 220;
    }
  return plane;
}

/** Returns a video that shows the QR code of a text in a loop. */
export function videoOfCode(text: string): Buffer {
  const grey = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = [Buffer.from('FRAME\n'), luma(text), grey];
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`),
    ...Array.from({ length: FRAME_COUNT }, () => frame).flat(),
  ]);
}
