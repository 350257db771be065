// Lends the letters that the program is written in to the frame of a mail, so that mail with formatting and without looks alike
// where the mail names no font. The frame's policy lets nothing be fetched, a font least of all: the page fetches it, which
// has it already, and puts the bytes there.
import fontUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';

/** As in the stylesheet. */
export const frameFont = 'Inter Variable';

let bytes: ArrayBuffer | null = null;
let fetching: Promise<ArrayBuffer> | null = null;

async function fetchFont(): Promise<ArrayBuffer> {
  const answer = await fetch(fontUrl);
  if (!answer.ok) throw new Error('No font');
  bytes = await answer.arrayBuffer();
  return bytes;
}

/** Puts the font into a frame: at once after the first time. Without it the system's is shown. */
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
