/**
 * A start, or an operator's command, that is refused for a reason that the operator can fix. Base
 * layer.
 */

/** Its message is the single line shown to the operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
