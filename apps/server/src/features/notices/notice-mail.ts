/**
 * What a notice says, as headers and text. Clients translate by subject and by the facts of X-Keyfold-Notice, so both
 * stay as they are; the text is for whoever reads it without such a client.
 */
import { formatDate, formatHeader } from '@keyfold/mail/mime/stored-headers';

export type NoticeKind =
  | 'authenticator_off'
  | 'authenticator_on'
  | 'keys_replaced'
  | 'new_login'
  | 'passkey_added'
  | 'passkey_removed'
  | 'password_changed'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'recovery_used'
  | 'second_factor_off'
  | 'second_factor_on';

const WORDS: Readonly<Record<NoticeKind, { readonly subject: string; readonly text: string }>> = {
  keys_replaced: {
    subject: 'Your keys were replaced',
    text: 'New mail is sealed to new keys. All other sessions have ended, and so has the recovery kit.',
  },
  new_login: {
    subject: 'New sign-in to your account',
    text: 'Somebody signed in with your password from a browser that was not used for it before.',
  },
  password_changed: {
    subject: 'Your password was changed',
    text: 'All other sessions have ended.',
  },
  recovery_used: {
    subject: 'Your recovery kit was used',
    text: 'A new password was set with your recovery kit. All other sessions have ended.',
  },
  second_factor_off: {
    subject: 'Two-factor sign-in was turned off',
    text: 'From now on your password alone opens your account.',
  },
  second_factor_on: {
    subject: 'Two-factor sign-in was turned on',
    text: 'From now on signing in asks for a second factor after your password.',
  },
  authenticator_on: {
    subject: 'An authenticator app was added',
    text: 'Its codes are a second factor of your account from now on.',
  },
  authenticator_off: {
    subject: 'Your authenticator app was removed',
    text: 'Its codes are good for nothing any more. Your keys still are a second factor.',
  },
  passkey_added: {
    subject: 'A passkey or security key was added',
    text: 'It is a second factor of your account from now on.',
  },
  passkey_removed: {
    subject: 'A passkey or security key was removed',
    text: 'It is good for nothing any more. Your account still asks for a second factor.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    text: 'It took the place of your second factor, and is good for nothing any more.',
  },
  recovery_codes_renewed: {
    subject: 'New recovery codes were made',
    text: 'The old ones are good for nothing any more.',
  },
};

const ADVICE =
  'If this was you, there is nothing to do. If not, change your password and look at your sessions under Security.';

type NoticeMail = {
  readonly kind: NoticeKind;
  readonly device: { readonly browser: string | null; readonly system: string | null };
  readonly address: string;
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  readonly now: Date;
};

const deviceText = ({ browser, system }: NoticeMail['device']): string =>
  [browser, system].filter(word => word !== null).join(', ') || 'unknown';

export const formatNotice = (mail: NoticeMail): { readonly headers: string; readonly body: Buffer } => {
  const { kind, device, address, from, to, messageId, now } = mail;
  const { subject, text } = WORDS[kind];
  const facts = [
    kind,
    `browser="${device.browser ?? ''}"`,
    `system="${device.system ?? ''}"`,
    `address="${address}"`,
  ].join('; ');
  const fields: readonly (readonly [string, string])[] = [
    ['From', `Keyfold <${from}>`],
    ['To', to],
    ['Date', formatDate(now)],
    ['Message-ID', messageId],
    ['Subject', subject],
    ['X-Keyfold-Notice', facts],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=utf-8'],
  ];
  const lines = [
    text,
    '',
    `Device: ${deviceText(device)}`,
    `Network: ${address}`,
    `Time: ${formatDate(now)}`,
    '',
    ADVICE,
    '',
  ];
  return {
    headers: fields
      .map(([name, value]) => formatHeader(name, value))
      .join('')
      .trimEnd(),
    body: Buffer.from(lines.join('\r\n')),
  };
};
