/**
 * What those who run the service see and do: the outbound queue, domains, jobs, push, storage, versions. Extensions of the admin
 * calls; what is not shown, and why, is docs/adr/0033-what-an-operator-sees.md.
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
  /** Where it goes; null when the server cannot open its envelope. */
  domain: z.string().nullable(),
  state: z.enum(QUEUE_STATES),
  /** Attempts that failed. */
  attempts: z.number(),
  queued_at: time,
  next_attempt_at: time,
  /** SMTP reply code of the last attempt; null when there was none, or no server answered. */
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
  /** service: of KEYFOLD_DOMAINS. user: somebody claims it. */
  kind: z.enum(['service', 'user']),
  verified_at: time.nullable(),
  /** ready: mail is signed. waiting: there is a key whose record was not seen yet. */
  dkim: z.enum(['ready', 'waiting', 'none']),
  /** Whether all needed records were there at the last look; null before the first, and for the service's own. */
  healthy: z.boolean().nullable(),
  checked_at: time.nullable(),
  /** Since when the ownership record of a proved domain has been gone. */
  missing_since: time.nullable(),
});
export type OperatedDomain = z.infer<typeof operatedDomain>;

const pushPlatform = z.object({
  platform: z.enum(PUSH_PLATFORMS),
  /** Whether this server can push to it: keys are there, or none are needed. */
  on: z.boolean(),
  devices: z.number(),
  /** Those whose push service took nothing the last time. */
  failing: z.number(),
  /** Pushes that wait, for their time or for another try. */
  waiting: z.number(),
});
export type OperatedPush = z.infer<typeof pushPlatform>;

const REPORT_KINDS = ['dmarc', 'tls'] as const;

const reportedDomain = z.object({
  /** dmarc: messages in the name of the domain. tls: sessions with its mail servers. */
  kind: z.enum(REPORT_KINDS),
  domain: z.string(),
  reports: z.number(),
  /** Messages that passed, or sessions with TLS as it should be. */
  good: z.number(),
  bad: z.number(),
  /** The newest day that a report begins with, YYYY-MM-DD in UTC. */
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
  /** Numbers that the last run answered, by name. */
  result: z.record(z.string(), z.number()),
  /** Kind of the error, when it failed; its text is in the log. */
  failure: z.string().nullable(),
  succeeded_at: time.nullable(),
  next_run_at: time,
});
export type OperatedJob = z.infer<typeof job>;

const stored = z.object({ kind: z.string(), items: z.number(), size_bytes: z.number() });

const storage = z.object({
  /** Containers by what they are for: files of mail, segments of search indexes. */
  containers: z.array(stored),
  container_store: z.enum(['files', 's3']),
  database_bytes: z.number(),
  /** Tables with their indexes by what they hold; items are tables. */
  tables: z.array(stored),
  database: z.enum(['embedded', 'own']),
  /** Of the file system that KEYFOLD_DATA is on. */
  disk: z.object({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
});
export type OperatedStorage = z.infer<typeof storage>;

/** An empty id beside a domain is refused: without it, the call means the whole domain. */
const queueWish = withExactFields(
  z.object({
    /** One recipient's row. */
    id: id.optional(),
    /** Or all of a domain. */
    domain: domainName.optional(),
  }),
);

export const operationsCalls = {
  queue: defineCall({
    method: 'GET',
    path: '/admin/readonly/queue',
    access: 'readonly',
    about:
      'Mail to outside that waits, oldest first, by domain of the recipient and state, with the numbers of the last reply. Never addresses, senders or anything of a letter.',
    input: z.object({ domain: domainName.optional(), state: z.enum(QUEUE_STATES).optional(), page }),
    output: dataOf(
      z.object({
        waiting: z.number(),
        deferred: z.number(),
        delivering: z.number(),
        /** Those that most wait for. */
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
    about: 'Has one recipient, or all of a domain, tried at once; 404 when nothing of it waits.',
    input: queueWish,
    output: dataOf(z.object({ updated: z.number() })),
  }),
  drop_mail: defineCall({
    method: 'POST',
    path: '/admin/super/drop_mail',
    access: 'super',
    about:
      'Takes one recipient, or some of a domain’s at a time, out of the queue for good; senders get a notice of failure. `left` are still there.',
    input: queueWish,
    output: dataOf(z.object({ dropped: z.number(), left: z.number() })),
    timeoutMs: 60_000,
  }),
  domains: defineCall({
    method: 'GET',
    path: '/admin/readonly/domains',
    access: 'readonly',
    about: 'The service’s own domains and those that users claim, by name, with what the last look found.',
    input: z.object({ page }),
    output: dataOf(z.object({ domains: rowsOf(operatedDomain), has_more: z.boolean() })),
  }),
  jobs: defineCall({
    method: 'GET',
    path: '/admin/readonly/jobs',
    access: 'readonly',
    about: 'The recurring jobs: last run, what came of it, next run.',
    input: z.object({}),
    output: dataOf(rowsOf(job)),
  }),
  push: defineCall({
    method: 'GET',
    path: '/admin/readonly/push',
    access: 'readonly',
    about: 'Push by platform: whether it is on, devices, those that fail, and what waits.',
    input: z.object({}),
    output: dataOf(rowsOf(pushPlatform)),
  }),
  reports: defineCall({
    method: 'GET',
    path: '/admin/readonly/reports',
    access: 'readonly',
    about:
      'What other servers reported within 30 days: on mail in the name of the service’s domains (DMARC), on TLS on the way to them, and how many mails readers complained of. Numbers alone.',
    input: z.object({}),
    output: dataOf(
      z.object({
        domains: rowsOf(reportedDomain),
        /** `senders`: users whose mail it was. */
        complaints: z.object({ total: z.number(), senders: z.number() }),
      }),
    ),
  }),
  storage: defineCall({
    method: 'GET',
    path: '/admin/readonly/storage',
    access: 'readonly',
    about: 'Sizes of the database and of the containers, by kind, from counters.',
    input: z.object({}),
    output: dataOf(storage),
  }),
  versions: defineCall({
    method: 'GET',
    path: '/admin/readonly/versions',
    access: 'readonly',
    about: 'What runs: Keyfold, Node, PostgreSQL, and the newest migration of the schema.',
    input: z.object({}),
    output: dataOf(
      z.object({ keyfold: z.string(), node: z.string(), postgres: z.string(), schema: z.string() }),
    ),
  }),
} as const;
