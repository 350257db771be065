/** The reason why no server was reached, for the outcome derived from it. */
import type { TlsPolicyName } from '../../features/outbound/delivery/index.ts';

/** `isPermanent` when a retry cannot help. Its text contains no personal address. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly isPermanent: boolean;
  /** RFC 3463 status. */
  readonly status: string;
  /** Policy whose TLS requirements prevented the connection. */
  readonly tlsPolicy?: TlsPolicyName;

  constructor(
    status: string,
    message: string,
    isPermanent: boolean,
    cause: unknown,
    tlsPolicy?: TlsPolicyName,
  ) {
    super(message, { cause });
    this.status = status;
    this.isPermanent = isPermanent;
    if (tlsPolicy !== undefined) this.tlsPolicy = tlsPolicy;
  }
}
