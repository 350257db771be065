/**
 * Maps the end of a session to an outcome for each recipient: 2yz is delivered, 4yz and lost
 * connections are retried, 5yz is failed (RFC 5321 §4.2.1), with the enhanced status of RFC 3463.
 * Pure.
 */
import type { SentMessageInfo, SMTPError } from 'nodemailer/lib/smtp-connection';
import type { Outcome } from '../../features/outbound/delivery/index.ts';
import { LACKS } from './extensions.ts';

type NotDelivered = Exclude<Outcome, { kind: 'delivered' }>;

/** Bad sequence of commands: the session was out of order, the message was not refused. */
const DISORDER = 503;

const ACCEPTED = 250;

const LOST: NotDelivered = {
  kind: 'deferred',
  status: '4.4.2',
  text: 'The connection to the mail server was lost',
};

const textOf = (response: string): string =>
  response
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .join(' / ');

function statusOf(response: string, isPermanent: boolean): string {
  const given = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(response)?.[1];
  const ownClass = isPermanent ? '5' : '4';
  return given?.startsWith(ownClass) ? given : `${ownClass}.0.0`;
}

/** Converts a negative reply to an outcome. No reply at all means a lost connection. */
export function toOutcome(error: SMTPError, remoteHost: string): NotDelivered {
  const { response, responseCode } = error;
  if (typeof response !== 'string' || typeof responseCode !== 'number')
    return withoutReply(error, remoteHost);
  const isPermanent = responseCode >= 500 && responseCode !== DISORDER;
  return {
    kind: isPermanent ? 'failed' : 'deferred',
    status: statusOf(response, isPermanent),
    text: textOf(response),
    replyCode: responseCode,
    remoteHost,
  };
}

/**
 * Failures that the library or Keyfold detects without a negative reply. The server never received
 * the message.
 */
const FOUND_OUT: Readonly<Record<string, { readonly status: string; readonly text: string }>> = {
  EMESSAGE: { status: '5.3.4', text: 'The message is larger than the mail server accepts' },
  EENVELOPE: { status: '5.1.3', text: 'The address cannot be used in SMTP' },
  [LACKS.international]: {
    status: '5.6.7',
    text: 'The mail server does not accept international addresses',
  },
  [LACKS.eightBits]: { status: '5.6.3', text: 'The mail server does not accept 8-bit messages' },
};

function withoutReply(error: SMTPError, remoteHost: string): NotDelivered {
  const found = FOUND_OUT[error.code ?? ''];
  return found === undefined ? { ...LOST, remoteHost } : { kind: 'failed', ...found, remoteHost };
}

const refusals = (
  errors: readonly (SMTPError & { recipient?: string | undefined })[],
  remoteHost: string,
): Map<string, Outcome> =>
  new Map(errors.map(error => [error.recipient ?? '', toOutcome(error, remoteHost)]));

/** Returns the outcomes of a message that was accepted for at least one recipient. */
export function outcomesOfAnswer(
  info: SentMessageInfo,
  recipients: readonly string[],
  remoteHost: string,
): Outcome[] {
  const refused = refusals(info.rejectedErrors ?? [], remoteHost);
  const accepted = new Set(info.accepted);
  const replyCode = Number(/^(2\d\d)/.exec(info.response ?? '')?.[1] ?? ACCEPTED);
  const delivered: Outcome = { kind: 'delivered', replyCode, remoteHost };
  return recipients.map(
    recipient =>
      refused.get(recipient) ?? (accepted.has(recipient) ? { ...delivered } : { ...LOST, remoteHost }),
  );
}

/** Returns the outcomes of a transaction that was refused or interrupted. */
export function outcomesOfFailure(
  error: SMTPError & { rejectedErrors?: readonly SMTPError[] | undefined },
  recipients: readonly string[],
  remoteHost: string,
): Outcome[] {
  const refused = refusals(error.rejectedErrors ?? [], remoteHost);
  const all = toOutcome(error, remoteHost);
  return recipients.map(recipient => refused.get(recipient) ?? all);
}
