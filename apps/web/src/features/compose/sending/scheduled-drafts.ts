// Actions on scheduled messages: cancel, edit, or send now. A recall turns the message into a
// draft; scheduled-record.ts provides its recipients and their agreed encryption.
import { keys } from '../../../crypto/key-client.ts';
import { mailClient } from '../../../session/calls/clients/mail.ts';
import { sendingClient } from '../../../session/calls/clients/sending.ts';
import { forgetKeys } from '../../../session/trust/recipient-keys.ts';
import type { DraftSession } from '../draft/draft-session.ts';
import { addresseesOf } from '../draft/draft-state.ts';
import { findDifference, type KeptSchedule, readSchedule } from '../draft/scheduled-record.ts';
import { showDraft, startStored } from '../windows/open-drafts.ts';

type Recalled = { readonly session: DraftSession; readonly kept: KeptSchedule | null };

/**
 * Turns a scheduled message back into a draft. Rejects with CallError 409 when it has been sent.
 */
async function recall(mailId: string): Promise<Recalled> {
  const { data } = await sendingClient.unsend({ id: mailId });
  const { data: mail } = await mailClient.one({ id: data.draft_id });
  const content = await keys().openMail(mail);
  const kept = await readSchedule(mailId, content.parsed);
  const session = await startStored(mail, content);
  const bcc = kept?.bcc ?? [];
  session.setPeople(
    'bcc',
    bcc.map(person => ({ person, isInvalid: false })),
  );
  return { session, kept };
}

/** Turns the message into a draft without opening it. */
export async function cancelScheduled(mailId: string): Promise<void> {
  const { session } = await recall(mailId);
  await session.close();
}

/** Turns the message into a draft and opens it in a composer. */
export async function editScheduled(mailId: string): Promise<void> {
  const { session, kept } = await recall(mailId);
  if (kept === null) session.hold(null, findDifference(session.state(), kept) ?? undefined);
  showDraft(session);
}

/** Sends the message immediately as agreed. If something prevents that, a composer shows it. */
export async function sendScheduledNow(mailId: string): Promise<void> {
  const { session, kept } = await recall(mailId);
  try {
    const everybody = addresseesOf(session.state());
    forgetKeys(everybody.map(({ person }) => person.address));
    await session.lookUp(everybody);
    const difference = findDifference(session.state(), kept);
    if (difference !== null) {
      session.hold(null, difference);
      throw new Error(difference);
    }
    await session.send({ undoSeconds: 0 });
    await session.finish();
  } catch (error) {
    showDraft(session);
    throw error;
  }
}
