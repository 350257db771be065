/** What the operator is told when a backup, or what is done with one, cannot be or is not whole: mostly one line. */

/** Its message is what to show. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
