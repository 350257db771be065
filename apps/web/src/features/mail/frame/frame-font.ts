// Provides the app's font to message frames, so that formatted and plain-text messages look alike
// when the message names no font. The frame's policy blocks all fetches, fonts included, so the
// page passes on the bytes that it has already loaded.
import fontUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** Same name as in the stylesheet. */
export const frameFont = 'Inter Variable';

let bytes: ArrayBuffer | null = null;
let fetching: Promise<ArrayBuffer> | null = null;

async function fetchFont(): Promise<ArrayBuffer> {
  const answer = await fetch(fontUrl);
  if (!answer.ok) throw new Error('No font');
  bytes = await answer.arrayBuffer();
  return bytes;
}

/**
 * Adds the font to a frame; synchronous after the first call. Until then, the frame shows the
 * system font.
 */
export function lendFont(frame: Document): void {
  const view = frame.defaultView as (Window & Pick<typeof globalThis, 'FontFace'>) | null;
  if (view === null) return;
  const put = (data: ArrayBuffer): void => {
    frame.fonts.add(new view.FontFace(frameFont, data, { weight: '100 900' }));
  };
  if (bytes !== null) {
    put(bytes);
    return;
  }
  fetching ??= fetchFont();
  fetching.then(put).catch(() => {
    fetching = null;
  });
}
