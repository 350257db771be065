// The pressed keys in the notation of shortcut-keys.ts. Letters come from the keyboard's own layout
// if it is Latin, otherwise from the physical key positions, so that a Russian or Arabic keyboard
// has the same shortcuts.

/** Characters of the symbol keys on an American keyboard, without and with Shift. */
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

/** Returns the letter or symbol at the key's physical position. */
function latinOf(code: string, isShifted: boolean): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter === undefined ? signs[code]?.[isShifted ? 1 : 0] : letter.toLowerCase();
}

/**
 * Returns a chord such as `e`, `Shift+i`, `#`, `Mod+k`, `ArrowDown`; null during input-method
 * composition and for bare modifiers.
 */
export function chordOf(event: KeyPress): string | null {
  // Key code 229 marks keys handled by an input method.
  if (event.isComposing || event.keyCode === 229) return null;
  if (/^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/.test(event.key)) return null;
  const isLatin = /^[\x20-\x7e]$/.test(event.key);
  // AltGr counts as Ctrl and Alt together on some systems, and Option types symbols on a Mac: both
  // only type characters.
  if (event.altKey) return isLatin && !/[a-z0-9 ]/i.test(event.key) ? event.key : null;
  const mod = event.ctrlKey || event.metaKey ? 'Mod+' : '';
  if (event.key === ' ') return `${mod}Space`;
  const key = event.key.length > 1 || isLatin ? event.key : latinOf(event.code, event.shiftKey);
  if (key === undefined) return null;
  const isSign = key.length === 1 && !/[a-z]/i.test(key);
  if (isSign) return mod + key;
  return `${mod}${event.shiftKey ? 'Shift+' : ''}${key.length === 1 ? key.toLowerCase() : key}`;
}
