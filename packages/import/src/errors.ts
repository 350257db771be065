// Errors of the import room. Codes only: a message never carries names of folders, subjects, addresses or content,
// because callers may log it. They are thrown where a whole file cannot be read on; what is wrong with one mail of a
// file is no error but an item of kind 'broken' (items.ts).

/** What is wrong with the file, as a stable word. */
export type ImportErrorCode =
  | 'not_this_format' // the file does not begin as files of the format do
  | 'too_short' // the file ends before what its own header says must be there
  | 'damaged' // the inner structure of the file contradicts itself, or cannot be followed
  | 'looping' // the file leads back to where reading has been already
  | 'too_large' // one thing of the file, unpacked, is larger than is read
  | 'too_slow' // reading costs more time than a file of its size may ask for
  | 'encrypted' // the content is under a password or a key
  | 'unsupported'; // the format knows this form of file, and we do not read it

const TEXTS: Record<ImportErrorCode, string> = {
  not_this_format: 'This is not a file of this kind',
  too_short: 'The file is cut short',
  damaged: 'The file is damaged',
  looping: 'The file is damaged: it leads back into itself',
  too_large: 'The file holds more than can be unpacked',
  too_slow: 'The file takes too long to read',
  encrypted: 'The file is protected by a password',
  unsupported: 'This form of file is not supported',
};

/** Thrown by every reader of this room that cannot read on. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly code: ImportErrorCode;

  constructor(code: ImportErrorCode, cause?: unknown) {
    super(TEXTS[code], cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
