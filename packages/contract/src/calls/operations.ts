/**
 * What operators see and do: the outbound queue, domains, jobs, push, storage, versions. Extends
 * the admin calls. docs/adr/0033-operator-visibility.md explains what is not shown and why.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { withExactFields } from '../core/empty-fields.ts';
import { dataOf } from '../core/envelope.ts';
import { domainName, id, wholeNumber } from '../core/fields.ts';
import { OPERATIONS_PAGE_MAX } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';
import { PUSH_PLATFORMS } from './notifications.ts';

const page = wholeNumber(1, OPERATIONS_PAGE_MAX).default(1);
const time = z.iso.datetime();

const QUEUE_STATES = ['waiting', 'deferred', 'delivering'] as const;

const queueEntry = z.object({
  id,
  /** Destination domain; null when the server cannot open the envelope. */
  domain: z.string().nullable(),
  state: z.enum(QUEUE_STATES),
  /** Failed attempts. */
  attempts: z.number(),
  queued_at: time,
  next_attempt_at: time,
  /** SMTP reply code of the last attempt; null when there was no attempt or no server answered. */
  reply_code: z.number().nullable(),
  /** RFC 3463 status of the last attempt. */
  status: z.string().nullable(),
});
export type QueueEntry = z.infer<typeof queueEntry>;

const queueDomain = z.object({
  domain: z.string().nullable(),
  recipients: z.number(),
  deferred: z.number(),
  oldest_at: time,
  next_attempt_at: time,
});
export type QueueDomain = z.infer<typeof queueDomain>;

const operatedDomain = z.object({
  domain: z.string(),
  /** service: from KEYFOLD_DOMAINS. user: claimed by a user. */
  kind: z.enum(['service', 'user']),
  verified_at: time.nullable(),
  /** ready: mail is signed. waiting: a key exists, but its DNS record has not been seen yet. */
  dkim: z.enum(['ready', 'waiting', 'none']),
  /**
   * Whether the last check found all required records; null before the first check and for the
   * service's own domains.
   */
  healthy: z.boolean().nullable(),
  checked_at: time.nullable(),
  /** Time since which the ownership record of a verified domain has been missing. */
  missing_since: time.nullable(),
});
export type OperatedDomain = z.infer<typeof operatedDomain>;

const pushPlatform = z.object({
  platform: z.enum(PUSH_PLATFORMS),
  /** Whether this server can push to the platform: its keys are configured, or it needs none. */
  on: z.boolean(),
  devices: z.number(),
  /** Devices whose push service rejected the last push. */
  failing: z.number(),
  /** Pushes waiting for their time or for a retry. */
  waiting: z.number(),
});
export type OperatedPush = z.infer<typeof pushPlatform>;

const REPORT_KINDS = ['dmarc', 'tls'] as const;

const reportedDomain = z.object({
  /** dmarc: messages that use the domain as sender. tls: sessions with its mail servers. */
  kind: z.enum(REPORT_KINDS),
  domain: z.string(),
  reports: z.number(),
  /** Messages that passed, or sessions with successful TLS. */
  good: z.number(),
  bad: z.number(),
  /** Latest start day of any report, YYYY-MM-DD in UTC. */
  last_day: z.string(),
});
export type ReportedDomain = z.infer<typeof reportedDomain>;

const job = z.object({
  name: z.string(),
  /** Minute, hour, day, month, weekday in UTC. */
  cron: z.string(),
  last_run_at: time.nullable(),
  took_ms: z.number().nullable(),
  /** running: since last_run_at. */
  outcome: z.enum(['never', 'running', 'done', 'failed']),
  /** Numbers returned by the last run, by name. */
  result: z.record(z.string(), z.number()),
  /** Kind of error of a failed run; its text is in the log. */
  failure: z.string().nullable(),
  succeeded_at: time.nullable(),
  next_run_at: time,
});
export type OperatedJob = z.infer<typeof job>;

const stored = z.object({ kind: z.string(), items: z.number(), size_bytes: z.number() });

const storage = z.object({
  /** Encrypted blobs by purpose: files of messages, segments of search indexes. */
  containers: z.array(stored),
  container_store: z.enum(['files', 's3']),
  database_bytes: z.number(),
  /** Tables and their indexes by content; items are tables. */
  tables: z.array(stored),
  database: z.enum(['embedded', 'own']),
  /** Space on the file system that holds KEYFOLD_DATA. */
  disk: z.object({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
});
export type OperatedStorage = z.infer<typeof storage>;

/**
 * Why a name has no certificate, or no new one. not_pointing: its DNS records do not lead to this
 * service. no_address: it has none. dns: no DNS server answered. unreachable: the authority did not
 * answer. refused: it did not issue the certificate; `detail` has its reason. invalid: it issued
 * one that does not match. internal: the server's log has the error.
 */
const certificateProblem = z.enum([
  'not_pointing',
  'no_address',
  'dns',
  'unreachable',
  'refused',
  'invalid',
  'internal',
]);

export type CertificateProblem = z.infer<typeof certificateProblem>;

const operatedCertificate = z.object({
  name: z.string(),
  /**
   * waiting: not ordered yet, or the DNS records do not lead here. renewal_failing: the certificate
   * is valid, but the latest attempt to renew it failed. failing: there is no valid certificate.
   */
  state: z.enum(['valid', 'waiting', 'renewal_failing', 'failing']),
  ends_at: time.nullable(),
  /** Time of the renewal, or of the next attempt. */
  next_try_at: time,
  problem: certificateProblem.nullable(),
  /** The authority's own words, in English. */
  detail: z.string().nullable(),
});
export type OperatedCertificate = z.infer<typeof operatedCertificate>;

/**
 * Rejects an empty id beside a domain: without the id, the call would apply to the whole domain.
 */
const queueWish = withExactFields(
  z.object({
    /** Row of a single recipient. */
    id: id.optional(),
    /** Or all rows of a domain. */
    domain: domainName.optional(),
  }),
);

export const operationsCalls = {
  queue: defineCall({
    method: 'GET',
    path: '/admin/readonly/queue',
    access: 'readonly',
    about:
      'Queued mail to other providers, oldest first, by recipient domain and state, with the codes of the last reply. Never contains addresses, senders or content.',
    input: z.object({ domain: domainName.optional(), state: z.enum(QUEUE_STATES).optional(), page }),
    output: dataOf(
      z.object({
        waiting: z.number(),
        deferred: z.number(),
        delivering: z.number(),
        /** Domains with the most waiting messages. */
        domains: rowsOf(queueDomain),
        entries: rowsOf(queueEntry),
        has_more: z.boolean(),
      }),
    ),
  }),
  deliver_now: defineCall({
    method: 'POST',
    path: '/admin/standard/deliver_now',
    access: 'standard',
    about: 'Retries delivery to one recipient, or to all of a domain, immediately; 404 if none is queued.',
    input: queueWish,
    output: dataOf(z.object({ updated: z.number() })),
  }),
  drop_mail: defineCall({
    method: 'POST',
    path: '/admin/super/drop_mail',
    access: 'super',
    about:
      'Permanently removes one recipient, or some recipients of a domain per request, from the queue. Senders receive a failure notice. `left` is the number that remain.',
    input: queueWish,
    output: dataOf(z.object({ dropped: z.number(), left: z.number() })),
    timeoutMs: 60_000,
  }),
  domains: defineCall({
    method: 'GET',
    path: '/admin/readonly/domains',
    access: 'readonly',
    about:
      'The domains of the service and those that users claimed, by name, with the findings of the last check.',
    input: z.object({ page }),
    output: dataOf(z.object({ domains: rowsOf(operatedDomain), has_more: z.boolean() })),
  }),
  certificates: defineCall({
    method: 'GET',
    path: '/admin/readonly/certificates',
    access: 'readonly',
    about:
      'Host names with the certificates that this service gets by ACME, those with problems first. `enabled` is false when a proxy provides HTTPS or the certificate is in a file.',
    input: z.object({ page }),
    output: dataOf(
      z.object({
        enabled: z.boolean(),
        certificates: rowsOf(operatedCertificate),
        has_more: z.boolean(),
      }),
    ),
  }),
  renew_certificate: defineCall({
    method: 'POST',
    path: '/admin/standard/renew_certificate',
    access: 'standard',
    about:
      'Orders the certificate of a name now; 404 if the service wants none for it. When `renewed` is false, the list of certificates has the reason.',
    input: z.object({ name: domainName }),
    output: dataOf(z.object({ name: z.string(), renewed: z.boolean() })),
    timeoutMs: 180_000,
  }),
  jobs: defineCall({
    method: 'GET',
    path: '/admin/readonly/jobs',
    access: 'readonly',
    about: 'The recurring jobs with last run, outcome and next run.',
    input: z.object({}),
    output: dataOf(rowsOf(job)),
  }),
  push: defineCall({
    method: 'GET',
    path: '/admin/readonly/push',
    access: 'readonly',
    about: 'Push by platform: whether it is enabled, devices, failing devices, and pending notifications.',
    input: z.object({}),
    output: dataOf(rowsOf(pushPlatform)),
  }),
  reports: defineCall({
    method: 'GET',
    path: '/admin/readonly/reports',
    access: 'readonly',
    about:
      'Reports of other servers in the last 30 days, as numbers only: on mail from the domains of the service (DMARC), on TLS connections to them, and on complaints of readers.',
    input: z.object({}),
    output: dataOf(
      z.object({
        domains: rowsOf(reportedDomain),
        /** `senders`: users whose messages were reported. */
        complaints: z.object({ total: z.number(), senders: z.number() }),
      }),
    ),
  }),
  storage: defineCall({
    method: 'GET',
    path: '/admin/readonly/storage',
    access: 'readonly',
    about: 'Sizes of the database and of the encrypted blobs, by kind, from counters.',
    input: z.object({}),
    output: dataOf(storage),
  }),
  versions: defineCall({
    method: 'GET',
    path: '/admin/readonly/versions',
    access: 'readonly',
    about: 'Versions of Keyfold, Node and PostgreSQL, and the newest schema migration.',
    input: z.object({}),
    output: dataOf(
      z.object({ keyfold: z.string(), node: z.string(), postgres: z.string(), schema: z.string() }),
    ),
  }),
} as const;
