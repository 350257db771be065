// Invitations as calendar programs send them, delivered over SMTP, and a parser for what the
// product sent to the outside.
import { readInvitation } from '@keyfold/mail/ics/invitation';
import { type ParsedMessage, parseMessage } from '@keyfold/mail/mime/parse';
import type { SmtpSink } from '@keyfold/testing/smtp';
import { clusterKillsMs } from './cluster-mode.ts';
import { bringMails } from './outside.ts';

export type OutsideInvite = {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly method: string;
  /** Lines of the VEVENT; without them `ics` is sent unchanged. */
  readonly event?: readonly string[];
  readonly ics?: string;
  /** Additional header fields, each a whole line. */
  readonly fields?: readonly string[];
};

const rawOf = ({ to, from, subject, method, event = [], ics, fields = [] }: OutsideInvite): string =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    ...(fields.some(field => /^message-id:/i.test(field))
      ? []
      : [`Message-ID: <${crypto.randomUUID()}@calendar.test>`]),
    ...fields,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="edge"',
    '',
    '--edge',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'You are invited.',
    '--edge',
    `Content-Type: text/calendar; charset=utf-8; method=${method}; name="invite.ics"`,
    '',
    ics ??
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Calendar Test//EN',
        `METHOD:${method}`,
        'BEGIN:VEVENT',
        ...event,
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n'),
    '--edge--',
    '',
  ].join('\r\n');

/** Delivers invitations one after the other. Throws when one is rejected. */
export const inviteFromOutside = (smtpPort: number, ...invites: readonly OutsideInvite[]): Promise<void> =>
  bringMails(
    smtpPort,
    invites.map(invite => ({ from: 'cal@calendar.test', to: invite.to, write: () => rawOf(invite) })),
  );

/** A delivery claimed by a killed node is retried after two minutes. */
const waitMs = clusterKillsMs === null ? 20_000 : 150_000;

/** Waits for and returns the calendar message with this subject from the sink. */
export async function awaitCalendarMail(
  sink: SmtpSink,
  subject: RegExp,
  isWanted: (ics: string) => boolean = () => true,
): Promise<{ mail: ParsedMessage; ics: string; to: readonly string[] }> {
  for (const until = Date.now() + waitMs; Date.now() < until; ) {
    for (const { raw, to } of sink.messages) {
      const mail = await parseMessage(new Uint8Array(raw));
      const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar');
      const ics = new TextDecoder().decode(part?.content);
      if (part !== undefined && subject.test(mail.subject ?? '') && isWanted(ics)) return { mail, ics, to };
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`No calendar mail ${subject} went out`);
}

/** Parses a calendar text with the product's own reader. */
export const readIcs = (ics: string) =>
  readInvitation(new TextEncoder().encode(ics), { now: new Date(), zone: 'UTC' });
