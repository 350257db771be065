// Cuts a plain-text body into paragraphs, and tells quoted lines from written ones.

export interface TextBlock {
  quoted: boolean;
  /** It stands behind "···". */
  folded: boolean;
  text: string;
}

const attribution =
  /^(?:on|am|le|el|il|op|den|em)\b.{4,300}(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev).{0,80}:$/iu;
const originalMark =
  /^-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale)\s*-{2,}$/iu;
const headStart = /^\*?(?:from|von|de|da|van|från)\s*:/iu;
const headDate = /^\*?(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|skickat)\s*:/iu;
/** An attribution may be broken into this many lines. */
const attributionLines = 3;

/** Where a mail that is quoted without marks begins, as Outlook writes it; -1 when nowhere. */
function unmarkedStart(lines: readonly string[]): number {
  return lines.findIndex((line, index) => {
    if (originalMark.test(line.trim())) return true;
    if (!headStart.test(line)) return false;
    return lines.slice(index + 1, index + 5).some(next => headDate.test(next));
  });
}

/** How many lines at the end of a written block say who wrote what follows. */
function attributionAtEnd(lines: readonly string[]): number {
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === '') end -= 1;
  for (let count = 1; count <= Math.min(attributionLines, end); count += 1) {
    const words = lines
      .slice(end - count, end)
      .map(line => line.trim())
      .join(' ');
    if (attribution.test(words)) return lines.length - end + count;
  }
  return 0;
}

const isEmpty = (block: TextBlock): boolean => block.text.trim() === '';

/**
 * Runs of quoted lines (those that start with ">") and of written ones, in order. The earlier mail at the end of an answer
 * is `folded`, with the line that names its author; quotations that are answered one by one are not.
 */
export function splitQuotes(text: string, isForward = false): TextBlock[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const cut = isForward ? -1 : unmarkedStart(lines);
  const blocks: TextBlock[] = [];
  for (const line of cut > 0 ? lines.slice(0, cut) : lines) {
    const quoted = line.startsWith('>');
    const last = blocks.at(-1);
    if (last !== undefined && last.quoted === quoted) last.text += `\n${line}`;
    else blocks.push({ quoted, folded: false, text: line });
  }
  if (cut > 0) {
    const rest = { quoted: true, folded: true, text: lines.slice(cut).join('\n') };
    const written = blocks.filter(block => !isEmpty(block));
    return written.length === 0 ? [{ ...rest, quoted: false, folded: false }] : [...written, rest];
  }
  const shown = blocks.filter(block => !isEmpty(block));
  const last = shown.at(-1);
  if (isForward || last === undefined || !last.quoted || shown.length < 2) return shown;
  const before = shown.at(-2);
  const above = before?.text.split('\n') ?? [];
  const moved = attributionAtEnd(above);
  const kept = above.slice(0, above.length - moved).join('\n');
  if (before === undefined || (kept.trim() === '' && shown.length === 2)) return shown;
  last.text = [...above.slice(above.length - moved), last.text].filter(line => line !== '').join('\n');
  last.folded = true;
  before.text = kept;
  return shown.filter(block => !isEmpty(block));
}
