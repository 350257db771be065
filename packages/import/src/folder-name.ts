// Names in the modified UTF-7 of IMAP, which Maildir++ keeps in directories and Thunderbird in keywords.

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,';

/** A folder's name out of the modified UTF-7 of IMAP (RFC 3501 §5.1.3), which Maildir++ keeps; as it is when it is none. */
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
