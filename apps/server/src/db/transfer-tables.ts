/**
 * The tables of mail between servers: the queue, what others want of TLS, and who was asked to come back.
 */
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type InstantOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

export type OutboundMessagesTable = {
  id: string;
  user_id: string;
  /** Sealed under the master key: the message as it goes out. */
  message_sealed: Buffer;
  /** Role mail that is sent on, or its bounce on the way back: nobody here wrote it. */
  is_forward: WithDefault<boolean>;
  created_at: Generated<Date>;
};

export type OutboundRecipientsTable = {
  message_id: string;
  id: string;
  /** Keyed hash of the recipient's domain: groups deliveries without naming it. */
  domain_digest: Buffer;
  /** Sealed under the master key: envelope sender and recipient. */
  envelope_sealed: Buffer;
  attempts: WithDefault<number>;
  next_attempt_at: Instant;
  leased_until: InstantOrNull;
  /** SMTP reply code and RFC 3463 status of the last attempt; null before it, the code also when no server answered. */
  last_code: WithDefault<number | null>;
  last_status: WithDefault<string | null>;
  created_at: Generated<Date>;
};

type StsPoliciesTable = {
  /** Keyed digest of the domain. */
  domain_digest: Buffer;
  /** The policy, JSON, sealed under the master key. */
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
  /** Domain and what is counted, JSON, sealed under the master key. */
  entry_sealed: Buffer;
  count: number;
  /** When its report may be sent, or tried again. */
  next_try_at: Instant;
};

type GreylistTable = {
  /** Keyed digest of a network, or of network, sender and recipient. */
  digest: Buffer;
  since: Instant;
  expires_at: Instant;
};

export type ReceivedReportsTable = {
  /** Keyed digest of who reports, its name for the report, and the domain. */
  digest: Buffer;
  /** Keyed digest of who reports; null for one from before this was kept. */
  reporter: WithDefault<Buffer | null>;
  kind: 'dmarc' | 'tls';
  domain: string;
  /** Day in UTC that the report begins with, as YYYY-MM-DD. */
  day: ColumnType<string, string, never>;
  good: number;
  bad: number;
  received_at: Instant;
};

type ComplaintsTable = {
  user_id: string;
  /** Keyed digest of the mark that the mail bore. */
  digest: Buffer;
  /** Keyed digest of the domains that the mail went to; null where the mark does not say. */
  audience: WithDefault<Buffer | null>;
  /** Keyed digest of the organisational domain that stands by it; null in rows from before. */
  reporter: WithDefault<Buffer | null>;
  received_at: Instant;
};

type OutsideRecipientsTable = {
  user_id: string;
  /** Keyed digest of the user and of an address outside. */
  digest: Buffer;
  first_at: Instant;
};

type OutsideCountsTable = {
  user_id: string;
  /** Begin of the hour. */
  hour: Instant;
  tried: WithDefault<number>;
  refused: WithDefault<number>;
  suspicious: WithDefault<number>;
};

type OutsideLettersTable = {
  user_id: string;
  /** Who and to whom, as an HMAC. */
  digest: Buffer;
  /** Begin of the hour. */
  hour: Instant;
  letters: number;
};

/** Why mail to the outside is held ([Note: Signs]). */
export type HoldReason = 'complaints' | 'content' | 'refusals' | 'strangers';

type SendHoldsTable = {
  user_id: string;
  reason: HoldReason;
  held_until: Instant;
  /** Holds one after the other. */
  strikes: number;
  told_at: InstantOrNull;
};

/** These tables by name. */
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
