/**
 * What the queue asks of the SMTP room: one message to some recipients of one domain, and what became of each. Types
 * only; smtp/outbound does it.
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
  /** Envelope sender; empty for a notice that nobody must answer. */
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly message: Buffer;
  readonly signingKey: SigningKey | null;
  /**
   * Whether nobody else has taken the message up; asked before the other server gets the last of it, and when not it gets no end.
   * Absent where nobody else could.
   */
  readonly isStillOurs?: () => Promise<boolean>;
};

/** Which policy demands more of TLS than being offered. */
export type TlsPolicyName = 'dane' | 'mta-sts';

/** What became of one recipient. `text` is the other side's reply or our own words, without line breaks. */
export type Outcome =
  | {
      readonly kind: 'delivered';
      /** The other server's code and name; absent for a mailbox of our own. */
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
      /** No server opened a session: the message had no part in it. */
      readonly isUnmet?: true;
      /** Whose demand on TLS was not met. */
      readonly tlsPolicy?: TlsPolicyName;
    };

export type Transport = {
  /**
   * Hands a message over. Never rejects for what a server or the network does: that is an outcome, one per recipient in
   * their order. Rejects only when the signal ends the attempt.
   */
  readonly transmit: (job: Transmission, signal: AbortSignal) => Promise<Outcome[]>;
};
