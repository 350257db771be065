// A file of vCards as lines and as cards, one at a time: a file may have millions of either. What they say is vcard.ts'.

/** Where each line of a text begins and ends; one at a time, since a file may have millions. */
export function* lineSpans(text: string): Generator<readonly [start: number, end: number]> {
  let start = 0;
  let lf = text.indexOf('\n');
  let cr = text.indexOf('\r');
  while (start <= text.length) {
    if (lf >= 0 && lf < start) lf = text.indexOf('\n', start);
    if (cr >= 0 && cr < start) cr = text.indexOf('\r', start);
    const end = cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
    yield [start, end < 0 ? text.length : end];
    if (end < 0) return;
    start = end + (end === cr && lf === cr + 1 ? 2 : 1);
  }
}

/** The longest line that can be the first or the last of a card. */
const boundaryMax = 100;

/** Each card with its BEGIN and END, as it stands in the file; what stands between cards is left out. */
export function* cardTexts(text: string): Generator<string> {
  let from: number | null = null;
  for (const [start, end] of lineSpans(text)) {
    if (end - start > boundaryMax || end === start) continue;
    const word = text.slice(start, end).trim().toUpperCase();
    if (word === 'BEGIN:VCARD') from = start;
    if (word !== 'END:VCARD' || from === null) continue;
    yield `${text.slice(from, end)}\r\n`;
    from = null;
  }
}
