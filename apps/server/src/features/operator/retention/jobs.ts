/**
 * Deletes rows that have expired: sessions, MFA-pending sessions, device cookies, sign-ins, used
 * captchas, share codes, organization invitations, and receipts that detect repeated deliveries,
 * sends and events. What a row means is its own feature's concern; only its age matters here.
 */
import { type DeleteResult, sql } from 'kysely';
import { IMPORT_CONTAINER_KEPT_MS } from '../../../base/import-limits.ts';
import {
  ARRIVAL_COUNTS_KEPT_MS,
  BILLING_EVENT_KEPT_MS,
  ENDED_SESSION_KEPT_MS,
  IDEMPOTENCY_KEPT_MS,
  INVITE_LIFETIME_MS,
  KNOWN_BROWSER_KEPT_MS,
  LOGIN_KEPT_MS,
  PUSH_FAILING_KEPT_MS,
  PUSH_KEPT_MS,
  RECEIPT_KEPT_MS,
} from '../../../base/limits.ts';
import {
  FINISHED_MESSAGE_KEPT_MS,
  MESSAGES_TO_ONE_WATCHED_MS,
  OUTSIDE_RECIPIENT_KEPT_MS,
  SEND_WATCHED_MS,
} from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { forgetRepeats } from '../../accounts/auth/index.ts';
import { deleteDeadDevices, deleteOldJobs } from '../../clients/notifications/index.ts';
import { discardContainer } from '../../mailbox/messages/index.ts';
import { forgetWatched } from '../../outbound/send-watch/index.ts';
import { forgetReceivedReports } from '../../reports/received-reports/index.ts';

type Scope = {
  readonly db: Deps['db'];
  readonly now: Date;
  /** The time this long before now. */
  readonly ago: (ageMs: number) => Date;
};

type Deletion = { readonly executeTakeFirst: () => Promise<DeleteResult> };

/** Deletions by age, in the order in which they run, by the name of their count. */
const DELETIONS: Readonly<Record<string, (scope: Scope) => Deletion>> = {
  sessions: ({ db, now, ago }) =>
    db
      .deleteFrom('sessions')
      .where('expires_at', '<=', now)
      .where(eb => eb.or([eb('ended', 'is', null), eb('expires_at', '<=', ago(ENDED_SESSION_KEPT_MS))])),
  devices: ({ db, now }) => db.deleteFrom('devices').where('expires_at', '<=', now),
  captchas: ({ db, now }) => db.deleteFrom('captchas_used').where('expires_at', '<=', now),
  share_codes: ({ db, now }) =>
    db.deleteFrom('share_codes').where(eb => eb(eb.fn.coalesce('kept_until', 'expires_at'), '<=', now)),
  inbound_receipts: ({ db, ago }) =>
    db.deleteFrom('inbound_receipts').where('created_at', '<=', ago(RECEIPT_KEPT_MS)),
  send_receipts: ({ db, ago }) =>
    db.deleteFrom('send_receipts').where('created_at', '<=', ago(IDEMPOTENCY_KEPT_MS)),
  outside_letters: ({ db, ago }) =>
    db.deleteFrom('outside_letters').where('hour', '<=', ago(2 * MESSAGES_TO_ONE_WATCHED_MS)),
  event_answers: ({ db, now }) => db.deleteFrom('event_answers').where('expires_at', '<=', now),
  logins: ({ db, ago }) => db.deleteFrom('logins').where('created_at', '<=', ago(LOGIN_KEPT_MS)),
  known_browsers: ({ db, ago }) =>
    db.deleteFrom('known_browsers').where('seen_at', '<=', ago(KNOWN_BROWSER_KEPT_MS)),
  arrival_counts: ({ db, ago }) =>
    db
      .deleteFrom('arrival_counts')
      .where('day', '<', sql<Date>`${ago(ARRIVAL_COUNTS_KEPT_MS).toISOString().slice(0, 10)}::date`),
  outbound_messages: ({ db, ago }) =>
    db
      .deleteFrom('outbound_messages as m')
      .where('m.created_at', '<=', ago(FINISHED_MESSAGE_KEPT_MS))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('outbound_recipients').select('id').whereRef('message_id', '=', 'm.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('held_recipients').select('id').whereRef('message_id', '=', 'm.id'))),
      ),
  half_sessions: ({ db, now }) => db.deleteFrom('half_sessions').where('expires_at', '<=', now),
  passkey_challenges: ({ db, now }) => db.deleteFrom('passkey_challenges').where('expires_at', '<=', now),
  billing_events: ({ db, ago }) =>
    db.deleteFrom('billing_events').where('received_at', '<=', ago(BILLING_EVENT_KEPT_MS)),
  organization_invites: ({ db, ago }) =>
    db.deleteFrom('organization_invites').where('expires_at', '<=', ago(INVITE_LIFETIME_MS)),
  organization_resets: ({ db, now }) => db.deleteFrom('organization_resets').where('expires_at', '<=', now),
};

/** Deletes expired blobs of imports. Until then they count toward their owner's quota. */
async function removeImportContainers(
  deps: Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'>,
  { db, ago }: Scope,
): Promise<number> {
  const rows = await db
    .deleteFrom('import_containers')
    .where('created_at', '<=', ago(IMPORT_CONTAINER_KEPT_MS))
    .returning('blob_id')
    .execute();
  for (const { blob_id } of rows) await discardContainer(deps, blob_id);
  return rows.length;
}

/** Clears second factors whose setup was not confirmed in time. */
async function clearPendingFactors({ db, now }: Scope): Promise<void> {
  await db
    .updateTable('second_factors')
    .set({ pending_sealed: null, pending_until: null })
    .where('pending_until', '<=', now)
    .execute();
}

/** Deletes expired rows; returns how many of each kind. */
export async function removeExpiredRows(
  deps: Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'>,
): Promise<Readonly<Record<string, number>>> {
  const { db, clock } = deps;
  const now = clock.now();
  const ago = (ageMs: number) => new Date(now.getTime() - ageMs);
  const scope: Scope = { db, now, ago };
  const counts: Record<string, number> = {};
  for (const [name, deletion] of Object.entries(DELETIONS))
    counts[name] = Number((await deletion(scope).executeTakeFirst()).numDeletedRows);
  await forgetRepeats(db, now);
  counts.import_containers = await removeImportContainers(deps, scope);
  await clearPendingFactors(scope);
  return {
    ...counts,
    push_devices: await deleteDeadDevices(db, now, ago(PUSH_FAILING_KEPT_MS)),
    push_jobs: await deleteOldJobs(db, ago(PUSH_KEPT_MS)),
    received_reports: await forgetReceivedReports(deps),
    ...(await forgetWatched(db, ago(OUTSIDE_RECIPIENT_KEPT_MS), ago(2 * SEND_WATCHED_MS))),
  };
}
