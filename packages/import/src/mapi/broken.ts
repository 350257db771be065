// What an error says of the item that was being read. Errors of the device, of memory and of ourselves say nothing of it.

import { MailError } from '@keyfold/mail/errors';
import { ImportError, type ImportErrorCode } from '../errors.ts';
import type { BrokenReason } from '../items.ts';

const REASONS: Partial<Record<ImportErrorCode, BrokenReason>> = {
  damaged: 'damaged',
  looping: 'damaged',
  too_short: 'cut_short',
  too_large: 'too_large',
  unsupported: 'unsupported',
  encrypted: 'encrypted',
};

/** Why an item could not be read, or null when the error is not about the item. */
export function reasonOf(error: unknown): BrokenReason | null {
  if (error instanceof ImportError) return REASONS[error.code] ?? null;
  if (error instanceof MailError) return 'damaged';
  // A number of the file led outside of the bytes it is about.
  return error instanceof RangeError ? 'damaged' : null;
}
