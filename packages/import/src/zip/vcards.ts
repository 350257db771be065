// Address cards of a file, one by one.

/** Each vCard of a text with its BEGIN and END; text around them is no card. */
export function splitVcards(text: string): string[] {
  const cards: string[] = [];
  let lines: string[] | null = null;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (/^BEGIN:VCARD\s*$/i.test(line)) lines = [];
    lines?.push(line);
    if (lines === null || !/^END:VCARD\s*$/i.test(line)) continue;
    cards.push(`${lines.join('\r\n')}\r\n`);
    lines = null;
  }
  return cards;
}
