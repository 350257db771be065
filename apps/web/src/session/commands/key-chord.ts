// What was pressed, in the notation of shortcut-keys.ts. Letters are those of the keyboard's own layout if it writes
// Latin ones, else those of the keys' places, so that a Russian or Arabic keyboard has the same shortcuts.

/** What the signs' keys write on an American keyboard, without and with Shift. */
const signs: Readonly<Record<string, string>> = {
  Digit1: '1!',
  Digit3: '3#',
  Digit8: '8*',
  Slash: '/?',
  Comma: ',<',
  Semicolon: ';:',
};

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'keyCode'
>;

/** The letter or sign of the key's place. */
function latinOf(code: string, isShifted: boolean): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter === undefined ? signs[code]?.[isShifted ? 1 : 0] : letter.toLowerCase();
}

/** As in `e`, `Shift+i`, `#`, `Mod+k`, `ArrowDown`; null for half a word of an input method, and for bare modifiers. */
export function chordOf(event: KeyPress): string | null {
  // 229 is what an input method's keys are reported as.
  if (event.isComposing || event.keyCode === 229) return null;
  if (/^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/.test(event.key)) return null;
  const isLatin = /^[\x20-\x7e]$/.test(event.key);
  // AltGr counts as Ctrl and Alt at once on some systems, and Option writes signs on a Mac: both write, nothing more.
  if (event.altKey) return isLatin && !/[a-z0-9 ]/i.test(event.key) ? event.key : null;
  const mod = event.ctrlKey || event.metaKey ? 'Mod+' : '';
  if (event.key === ' ') return `${mod}Space`;
  const key = event.key.length > 1 || isLatin ? event.key : latinOf(event.code, event.shiftKey);
  if (key === undefined) return null;
  const isSign = key.length === 1 && !/[a-z]/i.test(key);
  if (isSign) return mod + key;
  return `${mod}${event.shiftKey ? 'Shift+' : ''}${key.length === 1 ? key.toLowerCase() : key}`;
}
