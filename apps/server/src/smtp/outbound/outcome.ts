/**
 * What a session's end means for each recipient: 2yz delivered, 4yz and lost connections later, 5yz failed (RFC 5321
 * §4.2.1), with the enhanced status of RFC 3463. Pure.
 */
import type { SentMessageInfo, SMTPError } from 'nodemailer/lib/smtp-connection';
import type { Outcome } from '../../features/delivery/service.ts';

type NotDelivered = Exclude<Outcome, { kind: 'delivered' }>;

/** Bad sequence of commands says that the session was in disorder, not that the mail was refused. */
const DISORDER = 503;

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

const statusOf = (response: string, isPermanent: boolean): string => {
  const given = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(response)?.[1];
  const ownClass = isPermanent ? '5' : '4';
  return given?.startsWith(ownClass) ? given : `${ownClass}.0.0`;
};

/** A negative reply as an outcome; no reply at all is a lost connection. */
export const toOutcome = (error: SMTPError, remoteHost: string): NotDelivered => {
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
};

const withoutReply = (error: SMTPError, remoteHost: string): NotDelivered => {
  // These two the library finds out by itself: an announced size limit, and an address that fits in no command.
  if (error.code === 'EMESSAGE')
    return {
      kind: 'failed',
      status: '5.3.4',
      text: 'The message is larger than the mail server accepts',
      remoteHost,
    };
  if (error.code === 'EENVELOPE')
    return { kind: 'failed', status: '5.1.3', text: 'The address cannot be used in SMTP', remoteHost };
  return { ...LOST, remoteHost };
};

const refusals = (
  errors: readonly (SMTPError & { recipient?: string | undefined })[],
  remoteHost: string,
): Map<string, Outcome> =>
  new Map(errors.map(error => [error.recipient ?? '', toOutcome(error, remoteHost)]));

/** Outcomes of a message that was accepted for at least one recipient. */
export const outcomesOfAnswer = (
  info: SentMessageInfo,
  recipients: readonly string[],
  remoteHost: string,
): Outcome[] => {
  const refused = refusals(info.rejectedErrors ?? [], remoteHost);
  const accepted = new Set(info.accepted);
  return recipients.map(
    recipient =>
      refused.get(recipient) ?? (accepted.has(recipient) ? { kind: 'delivered' } : { ...LOST, remoteHost }),
  );
};

/** Outcomes of a transaction that was refused or broke. */
export const outcomesOfFailure = (
  error: SMTPError & { rejectedErrors?: readonly SMTPError[] | undefined },
  recipients: readonly string[],
  remoteHost: string,
): Outcome[] => {
  const refused = refusals(error.rejectedErrors ?? [], remoteHost);
  const all = toOutcome(error, remoteHost);
  return recipients.map(recipient => refused.get(recipient) ?? all);
};
