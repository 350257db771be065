// Films for the camera that Chromium plays instead of a real one (--use-file-for-fake-video-capture): a QR code, grey and
// not quite in the middle, as a hand holds it. The form is YUV4MPEG2: a line of text, then frames of bare planes.
import { encode } from 'uqr';

const width = 640;
const height = 480;
const frameCount = 3;
/** Side of the code and its place, in pixels. */
const side = 330;
const left = 170;
const top = 60;

/** The luminance of one frame: paper with the code on it before a grey wall. */
function luma(text: string): Buffer {
  const { size, data } = encode(text, { ecc: 'M', border: 3 });
  const plane = Buffer.alloc(width * height, 120);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const isDark = data[Math.floor((y * size) / side)]?.[Math.floor((x * size) / side)] ?? false;
      plane[(top + y) * width + left + x] = isDark ? 45 : 220;
    }
  return plane;
}

/** A film that shows the QR code of a text, over and over. */
export function filmOf(text: string): Buffer {
  const grey = Buffer.alloc((width * height) / 2, 128);
  const frame = [Buffer.from('FRAME\n'), luma(text), grey];
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`),
    ...Array.from({ length: frameCount }, () => frame).flat(),
  ]);
}
