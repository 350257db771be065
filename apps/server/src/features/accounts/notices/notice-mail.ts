/**
 * What a notice says, as headers and text. Clients translate by subject and by the facts of X-Keyfold-Notice, so both
 * stay as they are; the text is for whoever reads it without such a client, and for lists.
 */
import { formatDate, formatHeader } from '@keyfold/mail/mime/stored-headers';

export type NoticeKind =
  | 'account_suspended'
  | 'account_unsuspended'
  | 'admin_granted'
  | 'admin_revoked'
  | 'authenticator_off'
  | 'authenticator_on'
  | 'biometrics_moved'
  | 'biometrics_on'
  | 'keys_replaced'
  | 'mail_held'
  | 'mail_of_account_held'
  | 'member_reset_begun'
  | 'new_login'
  | 'organization_left'
  | 'owners_changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'password_changed'
  | 'plan_set'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'recovery_used'
  | 'reset_begun'
  | 'reset_used'
  | 'role_admin'
  | 'role_member'
  | 'role_owner'
  | 'second_factor_off'
  | 'second_factor_on'
  | 'second_factor_reset'
  | 'spam_filter_on'
  | 'welcome'
  | 'wrong_codes';

type Words = {
  readonly subject: string;
  readonly text: string;
  /** What to do; where it is left out, as for all that the owner may have done. */
  readonly advice?: string;
};

const SERVICE_ADVICE = 'If you have questions about it, ask those who run this service.';

const SECOND_FACTOR_ADVICE =
  'If this was you, there is nothing to do. If not, end the other sessions, change your password, and look at your second factor under Security: remove what is not yours and make new recovery codes.';

const ORGANIZATION_ADVICE =
  'Who did it, and when, stands in the log under Organisation in the settings, for its owners and admins. If it was not agreed, ask them.';

const WORDS: Readonly<Record<NoticeKind, Words>> = {
  keys_replaced: {
    subject: 'Your keys were replaced',
    text: 'New mail is sealed to new keys. All other sessions have ended, and so has the recovery kit.',
  },
  new_login: {
    subject: 'New sign-in to your account',
    text: 'Somebody signed in with your password from a browser that was not used for it before.',
  },
  organization_left: {
    subject: 'You no longer belong to your organisation',
    text: 'Your account and its mail stay. Addresses at the domains of the organisation have ended.',
    advice: 'The addresses that you have now are listed under Addresses in the settings.',
  },
  reset_begun: {
    subject: 'Your organisation began to reset your password',
    text: 'All your sessions have ended, and your organisation has a link by which a new password is set. Your old password works until the link is used.',
    advice:
      'If you did not ask for it, ask your organisation. With the link used, mail from before cannot be opened.',
  },
  member_reset_begun: {
    subject: 'A password reset was begun in your organisation',
    text: 'Somebody who manages your organisation made a link by which a new password is set for a member. Whoever has the link gets the mail that comes to the member from then on, and none from before.',
    advice: ORGANIZATION_ADVICE,
  },
  owners_changed: {
    subject: 'The owners of your organisation changed',
    text: 'Somebody became an owner of your organisation, or is none any more.',
    advice: ORGANIZATION_ADVICE,
  },
  role_admin: {
    subject: 'You are an admin of your organisation now',
    text: 'An owner of your organisation changed your role. Admins invite, remove and reset members, and connect domains. Owners can reset the password of an admin, and no other owner’s.',
    advice: ORGANIZATION_ADVICE,
  },
  role_member: {
    subject: 'You are a member of your organisation now',
    text: 'An owner of your organisation changed your role. Members see who else belongs to it. Owners and admins can reset the password of a member.',
    advice: ORGANIZATION_ADVICE,
  },
  role_owner: {
    subject: 'You are an owner of your organisation now',
    text: 'An owner of your organisation changed your role. Owners manage everybody, give roles, and can delete the organisation.',
    advice: ORGANIZATION_ADVICE,
  },
  reset_used: {
    subject: 'Your password was reset',
    text: 'A link of your organisation was used to set a new password with new keys. Mail from before cannot be opened any more. All sessions have ended, and so has the recovery kit.',
    advice: 'If this was not you, ask your organisation. Make a new recovery kit under Security.',
  },
  password_changed: {
    subject: 'Your password was changed',
    text: 'All other sessions have ended.',
  },
  recovery_used: {
    subject: 'Your recovery kit was used',
    text: 'A new password was set with your recovery kit. All other sessions have ended.',
    advice:
      'If this was you, there is nothing to do: the same words still open your account. If not, end the other sessions, change your password, and make a new recovery kit under Security, so that the words stop working.',
  },
  second_factor_off: {
    subject: 'Two-factor sign-in was turned off',
    text: 'From now on your password alone opens your account.',
    advice: SECOND_FACTOR_ADVICE,
  },
  second_factor_on: {
    subject: 'Two-factor sign-in was turned on',
    text: 'From now on signing in asks for a second factor after your password.',
    advice: SECOND_FACTOR_ADVICE,
  },
  authenticator_on: {
    subject: 'An authenticator app was added',
    text: 'Its codes are a second factor of your account from now on.',
    advice: SECOND_FACTOR_ADVICE,
  },
  authenticator_off: {
    subject: 'Your authenticator app was removed',
    text: 'Its codes are good for nothing any more. Your keys still are a second factor.',
    advice: SECOND_FACTOR_ADVICE,
  },
  biometrics_on: {
    subject: 'Biometric sign-in was turned on',
    text: 'From now on the device below opens your account after it has asked for a finger or a face: for 7 days, or for 30 where it stays signed in.',
  },
  biometrics_moved: {
    subject: 'Biometric sign-in was used from a new program',
    text: 'Somebody signed in with what a phone keeps for its biometrics, from a program that had not signed in before.',
  },
  passkey_added: {
    subject: 'A passkey or security key was added',
    text: 'It is a second factor of your account from now on.',
    advice: SECOND_FACTOR_ADVICE,
  },
  passkey_removed: {
    subject: 'A passkey or security key was removed',
    text: 'It is good for nothing any more. Your account still asks for a second factor.',
    advice: SECOND_FACTOR_ADVICE,
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    text: 'It took the place of your second factor, and is good for nothing any more.',
    advice: SECOND_FACTOR_ADVICE,
  },
  recovery_codes_renewed: {
    subject: 'New recovery codes were made',
    text: 'The old ones stop working once the new ones are confirmed.',
    advice: SECOND_FACTOR_ADVICE,
  },
  account_suspended: {
    subject: 'Your account was suspended',
    text: 'All sessions were ended. Mail that came meanwhile was put off, and mail that was still to go out waited.',
    advice: SERVICE_ADVICE,
  },
  account_unsuspended: {
    subject: 'Your account is open again',
    text: 'The suspension has ended. You can send and receive mail as before.',
    advice: SERVICE_ADVICE,
  },
  admin_granted: {
    subject: 'You are an admin of this service now',
    text: 'Another admin gave your account an admin level. You find the console in the menu of your account.',
    advice: SERVICE_ADVICE,
  },
  admin_revoked: {
    subject: 'You are no admin of this service any more',
    text: 'Another admin took the admin level from your account. Your mail is untouched.',
    advice: SERVICE_ADVICE,
  },
  plan_set: {
    subject: 'Your plan was changed',
    text: 'An admin of this service changed the plan of your account. What you have stays; new limits count from now on.',
    advice: SERVICE_ADVICE,
  },
  mail_held: {
    subject: 'Your mail to other services is held',
    text: 'Mail from your account to other services showed signs of spam: many recipients who are new to you, many refusals, or its text. It waits for a while, and no more is taken meanwhile. Mail to people at this service is not affected.',
    advice:
      'If you sent it yourself, there is nothing to do: it goes on by itself. If not, somebody else uses your account: change your password and look at your sessions under Security.',
  },
  mail_of_account_held: {
    subject: 'Mail of an account is held',
    text: 'An account of this service showed signs of sending spam, and its mail to other services waits for a while. The audit log says which account, and why.',
    advice:
      'If it is spam, suspend the account and drop its mail under Operations. If not, it goes on by itself, and you can release it at once at the account under User Management.',
  },
  second_factor_reset: {
    subject: 'The operator turned two-factor sign-in off',
    text: 'Authenticator app, keys and recovery codes are forgotten. From now on your password alone opens your account.',
    advice:
      'If you asked for it, set up a new second factor under Security. If not, do so all the same, and ask the operator.',
  },
  spam_filter_on: {
    subject: 'Your spam filter is on',
    text: 'Messages from outside that look like spam now go to Spam instead of the inbox. They stay there for you to check, and nothing is deleted.',
    advice: 'You can change how strict the filter is, or turn it off, under Spam filter in the settings.',
  },
  welcome: {
    subject: 'Welcome to Keyfold',
    text: 'Your mailbox is ready. Messages to people at this service are end-to-end encrypted, and all mail is stored encrypted with your keys.',
    advice:
      'Save your recovery kit first: if you lose your password and have no kit, nobody can open your mail, not even the operator of this service. You can bring your old mail along under Import.',
  },
  wrong_codes: {
    subject: 'Wrong codes for your second factor',
    text: 'Several wrong codes came in a row from somebody who has your password, a session or your recovery kit. Codes of your authenticator app are refused for a while; keys and recovery codes are not.',
    advice: SECOND_FACTOR_ADVICE,
  },
};

const ADVICE =
  'If this was you, there is nothing to do. If not, change your password and look at your sessions under Security.';

/** What a notice states beside its words. */
export type NoticeFacts = {
  readonly plan?: string;
  readonly former_plan?: string;
  readonly level?: string;
  readonly codes_left?: number;
  /** The name of a passkey or security key. */
  readonly passkey?: string;
  /** Why an account was suspended, in the admin's words. */
  readonly reason?: string;
};

type NoticePlace = {
  readonly device: { readonly browser: string | null; readonly system: string | null };
  readonly address: string;
};

type NoticeMail = {
  readonly kind: NoticeKind;
  /** Where it came from; null for what those who run the service did. */
  readonly place: NoticePlace | null;
  readonly facts: NoticeFacts;
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  readonly now: Date;
};

/** Of a value that people typed: escaped, so that it ends neither the quotes nor the header. */
const FACT_PART_CHARACTERS = 60;

/** `name="value"`, a long value in parts, which follow each other. */
function factParts(name: string, value: string): string[] {
  const characters = Array.from(value);
  const parts: string[] = [];
  for (let at = 0; at < characters.length || at === 0; at += FACT_PART_CHARACTERS)
    parts.push(`${name}="${encodeURIComponent(characters.slice(at, at + FACT_PART_CHARACTERS).join(''))}"`);
  return parts;
}

const FACT_WORDS: Readonly<Record<keyof NoticeFacts, string>> = {
  plan: 'New plan',
  former_plan: 'Plan before',
  level: 'Admin level',
  codes_left: 'Recovery codes left',
  passkey: 'Key',
  reason: 'Reason',
};

const factsOf = ({ device, address }: NoticePlace): string[] => [
  `browser="${device.browser ?? ''}"`,
  `system="${device.system ?? ''}"`,
  `address="${address}"`,
];

const linesOf = ({ device: { browser, system }, address }: NoticePlace): string[] => [
  `Device: ${[browser, system].filter(word => word !== null).join(', ') || 'unknown'}`,
  `Network: ${address}`,
];

export function formatNotice(mail: NoticeMail): { readonly headers: string; readonly body: Buffer } {
  const { kind, place, facts: stated, from, to, messageId, now } = mail;
  const known = (Object.keys(FACT_WORDS) as (keyof NoticeFacts)[]).flatMap(name => {
    const value = stated[name];
    return value === undefined ? [] : [{ name, value: String(value) }];
  });
  const { subject, text, advice = ADVICE } = WORDS[kind];
  const facts = [
    kind,
    ...(place === null ? [] : factsOf(place)),
    ...known.flatMap(({ name, value }) => factParts(name, value)),
  ].join('; ');
  const fields: readonly (readonly [string, string])[] = [
    ['From', `Keyfold <${from}>`],
    ['To', to],
    ['Date', formatDate(now)],
    ['Message-ID', messageId],
    ['Subject', subject],
    ['X-Keyfold-Notice', facts],
    // What a list shows of it: the text itself is not there before the mail is opened.
    ['X-Keyfold-Notice-Text', text],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=utf-8'],
  ];
  const lines = [
    text,
    '',
    ...known.map(({ name, value }) => `${FACT_WORDS[name]}: ${value}`),
    ...(place === null ? [] : linesOf(place)),
    `Time: ${formatDate(now)}`,
    '',
    advice,
    '',
  ];
  return {
    headers: fields
      .map(([name, value]) => formatHeader(name, value))
      .join('')
      .trimEnd(),
    body: Buffer.from(lines.join('\r\n')),
  };
}
