/** An invalid configuration; the message has one line per mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
