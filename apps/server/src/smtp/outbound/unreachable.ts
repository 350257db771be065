/**
 * Why no server was reached, for what outcome it makes.
 */
import type { TlsPolicyName } from '../../features/outbound/delivery/index.ts';

/** `isPermanent` when trying again cannot help. Its text names no address of a person. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly isPermanent: boolean;
  /** RFC 3463 status. */
  readonly status: string;
  /** Whose demand on TLS kept us away. */
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
