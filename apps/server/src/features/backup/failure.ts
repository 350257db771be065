/** What the operator is told when a backup, or what is done with one, cannot be: one line each. */

/** Its message is the line to show. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
