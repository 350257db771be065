// Errors of the import package. Codes only: an error message never carries folder names, subjects,
// addresses or content, because callers may log it. Readers throw them when they cannot continue
// with the file; a problem with a single message is not an error but an item of kind 'broken'
// (items.ts).

/** Stable code of the problem with the file. */
export type ImportErrorCode =
  | 'not_this_format' // the file does not start like a file of this format
  | 'too_short' // the file ends before the data that its own header announces
  | 'damaged' // the internal structure contradicts itself or cannot be followed
  | 'looping' // the structure refers back to a position already read
  | 'too_large' // one item, unpacked, exceeds the size limit
  | 'too_slow' // reading takes longer than the limit for a file of this size
  | 'encrypted' // the content is protected by a password or a key
  | 'unsupported'; // a valid variant of the format that the reader does not support

const TEXTS: Record<ImportErrorCode, string> = {
  not_this_format: 'This is not a file of this kind',
  too_short: 'The file is incomplete',
  damaged: 'The file is damaged',
  looping: 'The file is damaged (circular reference)',
  too_large: 'The file contains more data than can be unpacked',
  too_slow: 'The file takes too long to read',
  encrypted: 'The file is password-protected',
  unsupported: 'This file format isn’t supported',
};

/** Thrown by every reader of this package that cannot continue. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, cause?: unknown) {
    super(TEXTS[code], cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
