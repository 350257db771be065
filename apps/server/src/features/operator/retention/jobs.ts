/**
 * Job body that forgets rows whose time is over: sessions, half-done ones, device cookies, sign-ins, used captchas, share
 * codes, links of organisations, and the receipts that recognise a repeated delivery, send or event. What a row means is its own feature's knowledge; here only its age
 * counts.
 */
import { sql } from 'kysely';
import {
  ARRIVAL_COUNTS_KEPT_MS,
  BILLING_EVENT_KEPT_MS,
  ENDED_SESSION_KEPT_MS,
  FINISHED_MESSAGE_KEPT_MS,
  IDEMPOTENCY_KEPT_MS,
  IMPORT_CONTAINER_KEPT_MS,
  INVITE_LIFETIME_MS,
  KNOWN_BROWSER_KEPT_MS,
  LOGIN_KEPT_MS,
  MESSAGES_TO_ONE_WATCHED_MS,
  OUTSIDE_RECIPIENT_KEPT_MS,
  PUSH_FAILING_KEPT_MS,
  PUSH_KEPT_MS,
  RECEIPT_KEPT_MS,
  SEND_WATCHED_MS,
} from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { forgetRepeats } from '../../accounts/auth/index.ts';
import { deleteDeadDevices, deleteOldJobs } from '../../clients/notifications/index.ts';
import { discardContainer } from '../../mailbox/messages/index.ts';
import { forgetWatched } from '../../outbound/send-watch/index.ts';
import { forgetReceivedReports } from '../../reports/received-reports/index.ts';

/** Deletes expired rows; returns how many of each kind. */
export async function removeExpiredRows(
  deps: Pick<Deps, 'blobs' | 'clock' | 'db' | 'logger'>,
): Promise<Readonly<Record<string, number>>> {
  const { db, clock } = deps;
  const now = clock.now();
  const ago = (ageMs: number) => new Date(now.getTime() - ageMs);
  const [
    sessions,
    devices,
    captchas,
    codes,
    inbound,
    sends,
    letters,
    answers,
    logins,
    browsers,
    counts,
    finished,
    halves,
    asked,
    payments,
    invites,
    resets,
  ] = [
    await db
      .deleteFrom('sessions')
      .where('expires_at', '<=', now)
      .where(eb => eb.or([eb('ended', 'is', null), eb('expires_at', '<=', ago(ENDED_SESSION_KEPT_MS))]))
      .executeTakeFirst(),
    await db.deleteFrom('devices').where('expires_at', '<=', now).executeTakeFirst(),
    await db.deleteFrom('captchas_used').where('expires_at', '<=', now).executeTakeFirst(),
    await db
      .deleteFrom('share_codes')
      .where(eb => eb(eb.fn.coalesce('kept_until', 'expires_at'), '<=', now))
      .executeTakeFirst(),
    await db
      .deleteFrom('inbound_receipts')
      .where('created_at', '<=', ago(RECEIPT_KEPT_MS))
      .executeTakeFirst(),
    await db
      .deleteFrom('send_receipts')
      .where('created_at', '<=', ago(IDEMPOTENCY_KEPT_MS))
      .executeTakeFirst(),
    await db
      .deleteFrom('outside_letters')
      .where('hour', '<=', ago(2 * MESSAGES_TO_ONE_WATCHED_MS))
      .executeTakeFirst(),
    await db.deleteFrom('event_answers').where('expires_at', '<=', now).executeTakeFirst(),
    await db.deleteFrom('logins').where('created_at', '<=', ago(LOGIN_KEPT_MS)).executeTakeFirst(),
    await db
      .deleteFrom('known_browsers')
      .where('seen_at', '<=', ago(KNOWN_BROWSER_KEPT_MS))
      .executeTakeFirst(),
    await db
      .deleteFrom('arrival_counts')
      .where('day', '<', sql<Date>`${ago(ARRIVAL_COUNTS_KEPT_MS).toISOString().slice(0, 10)}::date`)
      .executeTakeFirst(),
    await db
      .deleteFrom('outbound_messages as m')
      .where('m.created_at', '<=', ago(FINISHED_MESSAGE_KEPT_MS))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('outbound_recipients').select('id').whereRef('message_id', '=', 'm.id'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('held_recipients').select('id').whereRef('message_id', '=', 'm.id'))),
      )
      .executeTakeFirst(),
    await db.deleteFrom('half_sessions').where('expires_at', '<=', now).executeTakeFirst(),
    await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).executeTakeFirst(),
    await db
      .deleteFrom('billing_events')
      .where('received_at', '<=', ago(BILLING_EVENT_KEPT_MS))
      .executeTakeFirst(),
    await db
      .deleteFrom('organization_invites')
      .where('expires_at', '<=', ago(INVITE_LIFETIME_MS))
      .executeTakeFirst(),
    await db.deleteFrom('organization_resets').where('expires_at', '<=', now).executeTakeFirst(),
  ];
  await forgetRepeats(db, now);
  const brought = await db
    .deleteFrom('import_containers')
    .where('created_at', '<=', ago(IMPORT_CONTAINER_KEPT_MS))
    .returning('blob_id')
    .execute();
  // They counted against their owner's storage until now; their bytes go with them.
  for (const { blob_id } of brought) await discardContainer(deps, blob_id);
  await db
    .updateTable('second_factors')
    .set({ pending_sealed: null, pending_until: null })
    .where('pending_until', '<=', now)
    .execute();
  return {
    sessions: Number(sessions.numDeletedRows),
    devices: Number(devices.numDeletedRows),
    captchas: Number(captchas.numDeletedRows),
    share_codes: Number(codes.numDeletedRows),
    inbound_receipts: Number(inbound.numDeletedRows),
    send_receipts: Number(sends.numDeletedRows),
    outside_letters: Number(letters.numDeletedRows),
    event_answers: Number(answers.numDeletedRows),
    logins: Number(logins.numDeletedRows),
    known_browsers: Number(browsers.numDeletedRows),
    arrival_counts: Number(counts.numDeletedRows),
    outbound_messages: Number(finished.numDeletedRows),
    half_sessions: Number(halves.numDeletedRows),
    passkey_challenges: Number(asked.numDeletedRows),
    billing_events: Number(payments.numDeletedRows),
    organization_invites: Number(invites.numDeletedRows),
    organization_resets: Number(resets.numDeletedRows),
    import_containers: brought.length,
    push_devices: await deleteDeadDevices(db, now, ago(PUSH_FAILING_KEPT_MS)),
    push_jobs: await deleteOldJobs(db, ago(PUSH_KEPT_MS)),
    received_reports: await forgetReceivedReports(deps),
    ...(await forgetWatched(db, ago(OUTSIDE_RECIPIENT_KEPT_MS), ago(2 * SEND_WATCHED_MS))),
  };
}
