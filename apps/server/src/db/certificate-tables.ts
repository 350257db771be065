/** Kysely types of the tables of certificates by ACME; see migrations/0170-certificates.ts. */
import type { ColumnType } from 'kysely';

type Instant = ColumnType<Date, Date, Date>;
type InstantOrNull = ColumnType<Date | null, Date | null | undefined, Date | null>;

type AcmeAccountsTable = {
  /** URL of the authority's directory. */
  directory: string;
  /** Private key of the account, sealed by the server's key. */
  key_sealed: Buffer;
  created_at: Instant;
};

export type CertificatesTable = {
  name: string;
  /** Private key (PKCS #8 DER), sealed by the server's key. */
  key_sealed: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  /** The certificate, followed by those of its issuers, as PEM. */
  chain: ColumnType<string | null, string | null | undefined, string | null>;
  issued_at: InstantOrNull;
  ends_at: InstantOrNull;
  next_try_at: Instant;
  /** When a machine last wanted the name, to within a day. */
  wanted_at: Instant;
  /** Consecutive failed attempts. */
  failures: ColumnType<number, number | undefined, number>;
  problem: ColumnType<string | null, string | null | undefined, string | null>;
  problem_detail: ColumnType<string | null, string | null | undefined, string | null>;
};

type AcmeChallengesTable = { token: string; response: string; created_at: Instant };

export type CertificateTables = {
  acme_accounts: AcmeAccountsTable;
  acme_challenges: AcmeChallengesTable;
  certificates: CertificatesTable;
};
