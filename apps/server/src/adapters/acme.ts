/**
 * Orders certificates from an authority by ACME (RFC 8555) with HTTP challenges, through
 * acme-client. The library is loaded with the first order: servers behind a proxy never need it.
 */
import type { AcmeConfig } from '../config/https.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const REQUEST_RETRIES = 1;
/** Waits while the authority verifies a challenge: half a minute in all. */
const POLLS = { backoffAttempts: 7, backoffMin: 1_000, backoffMax: 8_000 } as const;
const DETAIL_MAX_CHARACTERS = 300;

export type AcmeOrder = {
  readonly name: string;
  /** Private key of the account with the authority as PEM. The first order creates the account. */
  readonly accountKey: string;
  /** Private key of the certificate as PEM. */
  readonly key: string;
  /** Publishes the answer to a challenge at /.well-known/acme-challenge/{token}. */
  readonly publish: (token: string, response: string) => Promise<void>;
  readonly withdraw: (token: string) => Promise<void>;
};

/** A failed order; the message is the authority's, shortened to one line of plain characters. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError';
  /** unreachable: the authority did not answer. refused: it did not issue the certificate. */
  readonly reason: 'unreachable' | 'refused';

  constructor(reason: AcmeError['reason'], detail: string) {
    super(plainLine(detail));
    this.reason = reason;
  }
}

/** Text of another server, for people to read: one line, without control characters. */
const plainLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, DETAIL_MAX_CHARACTERS);

/** The library fails with a TypeError where it expects an answer and gets none. */
const asAcmeError = (error: unknown): AcmeError =>
  error instanceof TypeError
    ? new AcmeError('unreachable', 'no answer')
    : new AcmeError('refused', error instanceof Error ? error.message : '');

/** Throws AcmeError unless the authority answers. */
async function requireAnswer(directoryUrl: string): Promise<void> {
  try {
    const { ok, status } = await fetch(directoryUrl, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    if (!ok) throw new AcmeError('unreachable', `status ${status}`);
  } catch (error) {
    if (error instanceof AcmeError) throw error;
    const { code, name } = ((error as Error).cause ?? error) as { code?: string; name?: string };
    throw new AcmeError('unreachable', code ?? name ?? 'no answer');
  }
}

export type Acme = {
  /** Returns the certificate and those of its issuers, as PEM. Rejects with AcmeError. */
  readonly order: (order: AcmeOrder) => Promise<string>;
};

/** Returns a client for the authority of the settings. */
export function createAcme({ directoryUrl, contact, binding }: AcmeConfig): Acme {
  return {
    order: async ({ name, accountKey, key, publish, withdraw }) => {
      await requireAnswer(directoryUrl);
      const acme = await import('acme-client');
      acme.axios.defaults.timeout = REQUEST_TIMEOUT_MS;
      Object.assign(acme.axios.defaults, {
        acmeSettings: { ...Object(acme.axios.defaults).acmeSettings, retryMaxAttempts: REQUEST_RETRIES },
      });
      const client = new acme.Client({
        directoryUrl,
        accountKey,
        ...(binding === undefined ? {} : { externalAccountBinding: binding }),
        ...POLLS,
      });
      try {
        const [, csr] = await acme.crypto.createCsr({ altNames: [name] }, key);
        return await client.auto({
          csr,
          email: contact,
          termsOfServiceAgreed: true,
          // The authority's own look is the one that counts.
          skipChallengeVerification: true,
          challengePriority: ['http-01'],
          challengeCreateFn: (_authorization, { token }, response) => publish(token, response),
          challengeRemoveFn: (_authorization, { token }) => withdraw(token),
        });
      } catch (error) {
        throw asAcmeError(error);
      }
    },
  };
}
