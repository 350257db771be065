// Names in IMAP's modified UTF-7, which Maildir++ uses in directory names and Thunderbird in
// keywords.

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,';

/**
 * Decodes a folder name from IMAP's modified UTF-7 (RFC 3501 §5.1.3), which Maildir++ uses. Returns
 * other names unchanged.
 */
export function decodeFolderName(name: string): string {
  return name.replace(/&([A-Za-z0-9+,]*)-/g, (whole, packed: string) => {
    if (packed === '') return '&';
    let bits = 0;
    let held = 0;
    let text = '';
    for (const letter of packed) {
      held = ((held << 6) | BASE64.indexOf(letter)) & 0x3fffff;
      bits += 6;
      if (bits < 16) continue;
      bits -= 16;
      text += String.fromCharCode((held >>> bits) & 0xffff);
    }
    return text.isWellFormed() && text !== '' ? text : whole;
  });
}
