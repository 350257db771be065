/**
 * Error shown to the operator when a backup, or an operation on one, fails or the backup is
 * incomplete: usually one line.
 */

/** Its message is shown to the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
