// Videos for the camera that Chromium plays instead of a real one (--use-file-for-fake-video-capture): a QR code, grey and
// not quite in the middle, as a hand holds it. The form is YUV4MPEG2: a line of text, then frames of bare planes.
import { encode } from 'uqr';

const WIDTH = 640;
const HEIGHT = 480;
const FRAME_COUNT = 3;
/** Side of the code and its place, in pixels. */
const SIDE = 330;
const LEFT = 170;
const TOP = 60;

/** The luminance of one frame: paper with the code on it before a grey wall. */
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

/** A video that shows the QR code of a text, over and over. */
export function videoOfCode(text: string): Buffer {
  const grey = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = [Buffer.from('FRAME\n'), luma(text), grey];
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`),
    ...Array.from({ length: FRAME_COUNT }, () => frame).flat(),
  ]);
}
