// Hands a file to the browser to be saved. The name comes from a mail, so anything but a plain name is taken out of it.

/** The last part of a name without what file systems and shells take for more than letters. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
    .trim()
    .slice(0, 200);
  return plain === '' ? 'file' : plain;
}

const releaseMs = 60_000;

/** Saves a Blob under a name. */
export function saveFile(content: Blob, name: string): void {
  // The type is what lets a browser open instead of save; a saved file needs none.
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = safeFileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), releaseMs);
}
