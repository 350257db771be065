/**
 * A start, or a command of the operator, that is refused for a reason which the operator can mend. Base layer.
 */

/** Its message is the one line that the operator reads. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
