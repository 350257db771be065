/**
 * Kysely types of the tables for mail between servers: the outbound queue, other domains' TLS
 * policies and reports, and the greylist.
 */
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export type OutboundMessagesTable = {
  id: string;
  user_id: string;
  /** The outbound message, sealed under the master key. */
  message_sealed: Buffer;
  /** Forwarded role mail, or a bounce that is returned for it: no local user wrote it. */
  is_forward: WithDefault<boolean>;
  created_at: Generated<Date>;
};

export type OutboundRecipientsTable = {
  message_id: string;
  id: string;
  /** Keyed hash of the recipient's domain, which groups deliveries without naming the domain. */
  domain_digest: Buffer;
  /** Envelope sender and recipient, sealed under the master key. */
  envelope_sealed: Buffer;
  attempts: WithDefault<number>;
  next_attempt_at: Instant;
  leased_until: InstantOrNull;
  /**
   * SMTP reply code and RFC 3463 status of the last attempt. Both are null before the first
   * attempt; the code is also null if no server replied.
   */
  last_code: WithDefault<number | null>;
  last_status: WithDefault<string | null>;
  created_at: Generated<Date>;
};

type StsPoliciesTable = {
  /** Keyed digest of the domain. */
  domain_digest: Buffer;
  /** The policy as JSON, sealed under the master key. */
  policy_sealed: Buffer;
  fetched_at: Instant;
  expires_at: Instant;
};

export type ReportCountsTable = {
  kind: 'dmarc' | 'tls';
  /** Day in UTC, as YYYY-MM-DD. */
  day: ColumnType<string, string, never>;
  domain_digest: Buffer;
  entry_digest: Buffer;
  /** Domain and counted data as JSON, sealed under the master key. */
  entry_sealed: Buffer;
  count: number;
  /** When the report may be sent or retried. */
  next_try_at: Instant;
};

type GreylistTable = {
  /** Keyed digest of a network, or of network, sender and recipient. */
  digest: Buffer;
  since: Instant;
  expires_at: Instant;
};

export type ReceivedReportsTable = {
  /** Keyed digest of the reporter, its name for the report, and the domain. */
  digest: Buffer;
  /** Keyed digest of the reporter; null for reports from before this column existed. */
  reporter: WithDefault<Buffer | null>;
  kind: 'dmarc' | 'tls';
  domain: string;
  /** First day (UTC) that the report covers, as YYYY-MM-DD. */
  day: ColumnType<string, string, never>;
  good: number;
  bad: number;
  received_at: Instant;
};

type ComplaintsTable = {
  user_id: string;
  /** Keyed digest of the feedback ID that the message carried. */
  digest: Buffer;
  /**
   * Keyed digest of the domains that the message was sent to; null if the feedback ID does not
   * contain it.
   */
  audience: WithDefault<Buffer | null>;
  /**
   * Keyed digest of the organizational domain behind the complaint; null in rows from before this
   * column existed.
   */
  reporter: WithDefault<Buffer | null>;
  received_at: Instant;
};

type OutsideRecipientsTable = {
  user_id: string;
  /** Keyed digest of the user and an external address. */
  digest: Buffer;
  first_at: Instant;
};

type OutsideCountsTable = {
  user_id: string;
  /** Start of the hour. */
  hour: Instant;
  tried: WithDefault<number>;
  refused: WithDefault<number>;
  suspicious: WithDefault<number>;
};

type OutsideLettersTable = {
  user_id: string;
  /** HMAC of sender and recipient. */
  digest: Buffer;
  /** Start of the hour. */
  hour: Instant;
  letters: number;
};

/** Why outbound mail is held ([Note: Signs]). */
export type HoldReason = 'complaints' | 'content' | 'refusals' | 'strangers';

type SendHoldsTable = {
  user_id: string;
  reason: HoldReason;
  held_until: Instant;
  /** Number of consecutive holds. */
  strikes: number;
  told_at: InstantOrNull;
};

export type TransferTables = {
  outbound_messages: OutboundMessagesTable;
  outbound_recipients: OutboundRecipientsTable;
  sts_policies: StsPoliciesTable;
  report_counts: ReportCountsTable;
  greylist: GreylistTable;
  received_reports: ReceivedReportsTable;
  complaints: ComplaintsTable;
  outside_recipients: OutsideRecipientsTable;
  outside_counts: OutsideCountsTable;
  outside_letters: OutsideLettersTable;
  send_holds: SendHoldsTable;
};
