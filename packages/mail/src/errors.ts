// Errors of the mail package. Codes only: an error never contains addresses, subjects, file names
// or content, because callers may log it.

/** What went wrong, as a stable code. */
export type MailErrorCode =
  | 'bad_reference' // an x-keyfold reference is missing or malformed
  | 'bad_file' // a fetched file does not have the size its reference states
  | 'bad_address' // an address cannot be written into a header
  | 'bad_header' // a header name or value cannot be written
  | 'no_trusted_types'; // HTML was passed to the mail-body policy from outside the sanitizer

const TEXTS: Record<MailErrorCode, string> = {
  bad_reference: 'Malformed attachment reference',
  bad_file: 'Attachment does not match its reference',
  bad_address: 'Invalid address',
  bad_header: 'Invalid header',
  no_trusted_types: 'HTML did not come from the sanitizer',
};

/** Thrown by every function of this package that rejects its input. */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: MailErrorCode;

  constructor(code: MailErrorCode, cause?: unknown) {
    super(TEXTS[code], cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
