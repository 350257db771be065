// File names for saving parts of a message. Keeps all letters of any script and removes only what
// some file system forbids or what would disguise the name.

/**
 * Control characters, direction marks and fillers. Joiners and variation selectors stay, because
 * scripts and emoji need them.
 */
const UNSEEN =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0020}-\u{e007f}]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Windows treats these names as devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?=\.|$)/iu;

/** File systems allow 255 bytes; browsers need some of them while saving. */
const NAME_MAX_BYTES = 220;
const ENDING_MAX_BYTES = 24;

const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

/** Cuts a text to `maxBytes` without splitting a character. */
function cutTo(text: string, maxBytes: number): string {
  let size = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    size += sizeOf(segment);
    if (size > maxBytes) break;
    kept += segment;
  }
  return kept;
}

function shortened(name: string): string {
  if (sizeOf(name) <= NAME_MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && sizeOf(name.slice(dot)) <= ENDING_MAX_BYTES ? name.slice(dot) : '';
  const stem = name.slice(0, name.length - ending.length);
  return cutTo(stem, NAME_MAX_BYTES - sizeOf(ending)).trimEnd() + ending;
}

/** Returns the name in a form that file systems accept; `file` if nothing is left. */
export function safeFileName(name: string): string {
  const plain = name
    .slice(0, 10_000)
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(/[\\/:*?"<>|\ufffd]/g, '_')
    .replace(/^[\s.]+/u, '');
  const safe = shortened(plain)
    .replace(/^(.*[^\s.])?[\s.]*$/su, '$1')
    .replace(DEVICES, '$&_');
  return safe === '' ? 'file' : safe;
}
