// Maps an error to a reason why the current item could not be read. Errors of the device, of memory
// and of Keyfold itself are not about the item.

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

/** Returns why an item could not be read, or null when the error is not about the item. */
export function reasonOf(error: unknown): BrokenReason | null {
  if (error instanceof ImportError) return REASONS[error.code] ?? null;
  if (error instanceof MailError) return 'damaged';
  // A number in the file pointed outside the bytes it refers to.
  return error instanceof RangeError ? 'damaged' : null;
}
