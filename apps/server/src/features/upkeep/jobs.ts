/**
 * Job body that forgets rows whose time is over: sessions, device cookies, used captchas, and the receipts that
 * recognise a repeated delivery or send. What a row means is its own feature's knowledge; here only its age counts.
 */
import type { Deps } from '../../deps.ts';
import { IDEMPOTENCY_KEPT_MS, RECEIPT_KEPT_MS } from '../../limits.ts';

/** Deletes expired rows; returns how many of each kind. */
export const removeExpiredRows = async ({
  db,
  clock,
}: Pick<Deps, 'clock' | 'db'>): Promise<Readonly<Record<string, number>>> => {
  const now = clock.now();
  const ago = (ageMs: number) => new Date(now.getTime() - ageMs);
  const [sessions, devices, captchas, inbound, sends] = [
    await db.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst(),
    await db.deleteFrom('devices').where('expires_at', '<=', now).executeTakeFirst(),
    await db.deleteFrom('captchas_used').where('expires_at', '<=', now).executeTakeFirst(),
    await db
      .deleteFrom('inbound_receipts')
      .where('created_at', '<=', ago(RECEIPT_KEPT_MS))
      .executeTakeFirst(),
    await db
      .deleteFrom('send_receipts')
      .where('created_at', '<=', ago(IDEMPOTENCY_KEPT_MS))
      .executeTakeFirst(),
  ];
  return {
    sessions: Number(sessions.numDeletedRows),
    devices: Number(devices.numDeletedRows),
    captchas: Number(captchas.numDeletedRows),
    inbound_receipts: Number(inbound.numDeletedRows),
    send_receipts: Number(sends.numDeletedRows),
  };
};
