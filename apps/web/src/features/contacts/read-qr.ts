// Reads a QR code from a picture or a video frame: with the browser's detector if available, else
// with a decoder that is loaded on demand. The picture never leaves the page. A separate chunk.
import decode from 'qr/decode.js';

/**
 * Maximum side length of the scaled picture, in pixels; photos from phones are ten times as large
 * as a code needs.
 */
const MOST_PIXELS = 1_400;
/**
 * Maximum decoding time, in milliseconds: a chosen picture is the only one, while a camera delivers
 * the next frame.
 */
const PICTURE_MS = 3_000;
const FRAME_MS = 30;

type Detector = {
  readonly detect: (image: ImageBitmap) => Promise<readonly { readonly rawValue: string }[]>;
};
type DetectorClass = new (options: { readonly formats: readonly string[] }) => Detector;

async function detect(image: ImageBitmap): Promise<string | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  if (BarcodeDetector === undefined) return null;
  const found = await new BarcodeDetector({ formats: ['qr_code'] }).detect(image).catch(() => []);
  return found[0]?.rawValue ?? null;
}

function pixelsOf(image: ImageBitmap): ImageData | null {
  const scale = Math.min(1, MOST_PIXELS / Math.max(image.width, image.height));
  const [width, height] = [Math.round(image.width * scale), Math.round(image.height * scale)];
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(image, 0, 0, width, height);
  return context?.getImageData(0, 0, width, height) ?? null;
}

async function readImage(source: Blob | HTMLVideoElement, timeLimit: number): Promise<string | null> {
  const image = await createImageBitmap(source).catch(() => null);
  if (image === null) return null;
  try {
    const found = await detect(image);
    if (found !== null) return found;
    const pixels = pixelsOf(image);
    if (pixels === null) return null;
    const { width, height, data } = pixels;
    return decode({ width, height, data }, { timeLimit });
  } catch {
    return null;
  } finally {
    image.close();
  }
}

/** Returns the text of the code in a picture, or null when none can be read. */
export const readQr = (picture: Blob): Promise<string | null> => readImage(picture, PICTURE_MS);

/** Returns the text of the code in the current video frame, or null. */
export const readQrFrame = (video: HTMLVideoElement): Promise<string | null> => readImage(video, FRAME_MS);
