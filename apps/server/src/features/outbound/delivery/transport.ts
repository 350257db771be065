/**
 * The queue's interface to SMTP: transmits one message to recipients at one domain and returns an
 * outcome for each. Types only; smtp/outbound implements it.
 */

/** The private half of a domain's DKIM key, for one signature. */
export type SigningKey = {
  readonly domain: string;
  readonly selector: string;
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
};

export type Transmission = {
  /** Domain of all recipients, in ASCII. */
  readonly domain: string;
  /** Envelope sender; empty for a notice, to which no reply may be sent. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly message: Buffer;
  readonly signingKey: SigningKey | null;
  /**
   * Returns whether the message still belongs to this worker. Asked before the other server
   * receives the last of the message; if not, the end is never sent. Absent where no other worker
   * could take it over.
   */
  readonly isStillOurs?: () => Promise<boolean>;
};

/** Policy that requires more than opportunistic TLS. */
export type TlsPolicyName = 'dane' | 'mta-sts';

/**
 * Outcome for one recipient. `text` is the other server's reply or our own text, without line
 * breaks.
 */
export type Outcome =
  | {
      readonly kind: 'delivered';
      /** Reply code and name of the other server; absent for a local mailbox. */
      readonly replyCode?: number;
      readonly remoteHost?: string;
    }
  | {
      readonly kind: 'deferred' | 'failed';
      /** RFC 3463 status such as 5.1.1. */
      readonly status: string;
      readonly text: string;
      /** SMTP reply code; absent when no server answered. */
      readonly replyCode?: number;
      /** Name of the server that answered. */
      readonly remoteHost?: string;
      /** No server opened a session, so the message was not involved. */
      readonly isUnmet?: true;
      /** Policy whose TLS requirement was not met. */
      readonly tlsPolicy?: TlsPolicyName;
    };

export type Transport = {
  /**
   * Transmits a message. Never rejects for server or network problems: these are outcomes, one per
   * recipient, in order. Rejects only when the signal aborts the attempt.
   */
  readonly transmit: (job: Transmission, signal: AbortSignal) => Promise<Outcome[]>;
};
