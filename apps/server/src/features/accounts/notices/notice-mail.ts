/**
 * Content of a notice as headers and text. Clients translate by the subject and the facts in
 * X-Keyfold-Notice, so both must stay stable. The text serves readers without such a client, and
 * message lists.
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
  /**
   * Recommended action. Omitted where the default advice for actions that the owner may have taken
   * applies.
   */
  readonly advice?: string;
};

const SERVICE_ADVICE = 'If you have questions, contact the administrator of this service.';

const SECOND_FACTOR_ADVICE =
  'If this was you, you don’t need to do anything. If it wasn’t, end your other sessions, change your password and review two-factor authentication under Security: remove anything that isn’t yours and create new recovery codes.';

const ORGANIZATION_ADVICE =
  'Owners and admins can see who did this and when in the activity log, in Settings > Organization. If you didn’t expect this, ask them.';

const WORDS: Readonly<Record<NoticeKind, Words>> = {
  keys_replaced: {
    subject: 'Your keys were replaced',
    text: 'New mail is encrypted with your new keys. All other sessions have ended, and your old recovery kit no longer works.',
  },
  new_login: {
    subject: 'New sign-in to your account',
    text: 'Someone signed in with your password from a browser that hadn’t been used with your account before.',
  },
  organization_left: {
    subject: 'You are no longer a member of your organization',
    text: 'You keep your account and its mail. Addresses at the organization’s domains no longer work.',
    advice: 'Your current addresses are listed in Settings > Addresses.',
  },
  reset_begun: {
    subject: 'Your organization started a reset of your password',
    text: 'All your sessions have ended, and your organization has a link that sets a new password. Your old password works until the link is used.',
    advice:
      'If you didn’t ask for this, contact your organization. Once the link is used, your existing mail can no longer be opened.',
  },
  member_reset_begun: {
    subject: 'A password reset was started in your organization',
    text: 'Someone who manages your organization created a link that sets a new password for a member. Anyone who uses the link can read mail the member receives from then on, but no earlier mail.',
    advice: ORGANIZATION_ADVICE,
  },
  owners_changed: {
    subject: 'The owners of your organization changed',
    text: 'Someone became an owner of your organization or is no longer one.',
    advice: ORGANIZATION_ADVICE,
  },
  role_admin: {
    subject: 'You are now an admin of your organization',
    text: 'An owner of your organization changed your role. Admins can invite and remove members, reset their passwords and connect domains. Owners can reset the passwords of admins, but not those of other owners.',
    advice: ORGANIZATION_ADVICE,
  },
  role_member: {
    subject: 'You are now a member of your organization',
    text: 'An owner of your organization changed your role. Members can see who else belongs to the organization. Owners and admins can reset a member’s password.',
    advice: ORGANIZATION_ADVICE,
  },
  role_owner: {
    subject: 'You are now an owner of your organization',
    text: 'An owner of your organization changed your role. Owners can manage everyone, assign roles and delete the organization.',
    advice: ORGANIZATION_ADVICE,
  },
  reset_used: {
    subject: 'Your password was reset',
    text: 'A link from your organization was used to set a new password with new keys. Your earlier mail can no longer be opened. All sessions have ended, and your old recovery kit no longer works.',
    advice: 'If this wasn’t you, contact your organization. Create a new recovery kit under Security.',
  },
  password_changed: {
    subject: 'Your password was changed',
    text: 'All other sessions have ended.',
  },
  recovery_used: {
    subject: 'Your recovery kit was used',
    text: 'A new password was set with your recovery kit. All other sessions have ended.',
    advice:
      'If this was you, you don’t need to do anything: the same recovery words still open your account. If it wasn’t, end your other sessions, change your password and create a new recovery kit under Security so that the old words stop working.',
  },
  second_factor_off: {
    subject: 'Two-factor authentication was turned off',
    text: 'From now on, your password alone opens your account.',
    advice: SECOND_FACTOR_ADVICE,
  },
  second_factor_on: {
    subject: 'Two-factor authentication was turned on',
    text: 'From now on, signing in requires a second factor after your password.',
    advice: SECOND_FACTOR_ADVICE,
  },
  authenticator_on: {
    subject: 'An authenticator app was added',
    text: 'You can now use its codes as your second factor.',
    advice: SECOND_FACTOR_ADVICE,
  },
  authenticator_off: {
    subject: 'Your authenticator app was removed',
    text: 'Its codes no longer work. Your passkeys and security keys still work as your second factor.',
    advice: SECOND_FACTOR_ADVICE,
  },
  biometrics_on: {
    subject: 'Biometric sign-in was turned on',
    text: 'The device below can now open your account with biometrics for 7 days, or for 30 days if it stays signed in.',
  },
  biometrics_moved: {
    subject: 'Biometric sign-in was used from a new app or browser',
    text: 'Someone used a phone’s biometric sign-in from an app or browser that hadn’t signed in before.',
  },
  passkey_added: {
    subject: 'A passkey or security key was added',
    text: 'You can now use it as your second factor.',
    advice: SECOND_FACTOR_ADVICE,
  },
  passkey_removed: {
    subject: 'A passkey or security key was removed',
    text: 'It no longer works. Your account still requires a second factor.',
    advice: SECOND_FACTOR_ADVICE,
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    text: 'It was used in place of your second factor and no longer works.',
    advice: SECOND_FACTOR_ADVICE,
  },
  recovery_codes_renewed: {
    subject: 'New recovery codes were created',
    text: 'The old codes stop working once the new ones are confirmed.',
    advice: SECOND_FACTOR_ADVICE,
  },
  account_suspended: {
    subject: 'Your account was suspended',
    text: 'All your sessions have ended. During the suspension, mail to you is delayed and your outgoing mail waits.',
    advice: SERVICE_ADVICE,
  },
  account_unsuspended: {
    subject: 'Your account is active again',
    text: 'The suspension has ended. You can send and receive mail again.',
    advice: SERVICE_ADVICE,
  },
  admin_granted: {
    subject: 'You are now an admin of this service',
    text: 'Another admin gave you admin access. Open the Admin Dashboard from your account menu.',
    advice: SERVICE_ADVICE,
  },
  admin_revoked: {
    subject: 'You are no longer an admin of this service',
    text: 'Another admin removed your admin access. Your mail is not affected.',
    advice: SERVICE_ADVICE,
  },
  plan_set: {
    subject: 'Your plan was changed',
    text: 'An admin of this service changed your plan. You keep everything you have, and the new limits apply from now on.',
    advice: SERVICE_ADVICE,
  },
  mail_held: {
    subject: 'Your mail to other providers is on hold',
    text: 'Mail from your account to other providers showed signs of spam, such as many new recipients, many rejections or suspicious content. Messages already sent wait in the queue, and new ones are refused until the hold ends. Mail to people on this service is not affected.',
    advice:
      'If you sent these messages yourself, you don’t need to do anything: the hold ends by itself. If you didn’t, someone else is using your account. Change your password and review your sessions under Security.',
  },
  mail_of_account_held: {
    subject: 'Mail from an account is on hold',
    text: 'An account on this service showed signs of sending spam, so its mail to other providers is on hold. The audit log shows which account and why.',
    advice:
      'If it is spam, suspend the account and drop its mail from the queue under Operations. If it isn’t, the hold ends by itself, or you can release the mail now from the account in User Management.',
  },
  second_factor_reset: {
    subject: 'An administrator turned off two-factor authentication',
    text: 'Your authenticator app, passkeys, security keys and recovery codes were removed. From now on, your password alone opens your account.',
    advice:
      'If you asked for this, set up two-factor authentication again under Security. If you didn’t, set it up anyway and contact the administrator of this service.',
  },
  spam_filter_on: {
    subject: 'Your spam filter is on',
    text: 'Messages from other providers that look like spam now go to Spam instead of the inbox. They stay there for you to review, and nothing is deleted.',
    advice: 'You can change how strict the filter is, or turn it off, in Security > Spam and senders.',
  },
  welcome: {
    subject: 'Welcome to Keyfold',
    text: 'Your mailbox is ready. Messages to people on this service are end-to-end encrypted, and all mail is stored encrypted with your keys.',
    advice:
      'Save your recovery kit first. If you lose your password and have no kit, no one can open your mail, not even this service. You can import your old mail in Settings > Import.',
  },
  wrong_codes: {
    subject: 'Several incorrect two-factor codes',
    text: 'Someone who has your password, a session or your recovery kit entered several incorrect codes in a row. Codes from your authenticator app are rejected for a while. Passkeys, security keys and recovery codes still work.',
    advice: SECOND_FACTOR_ADVICE,
  },
};

const ADVICE =
  'If this was you, you don’t need to do anything. If it wasn’t, change your password and review your sessions under Security.';

/** Variable facts of a notice, in addition to its fixed text. */
export type NoticeFacts = {
  readonly plan?: string;
  readonly former_plan?: string;
  readonly level?: string;
  readonly codes_left?: number;
  /** Name of a passkey or security key. */
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
  /** Origin of the action; null for actions of the operator. */
  readonly place: NoticePlace | null;
  readonly facts: NoticeFacts;
  readonly from: string;
  readonly to: string;
  readonly messageId: string;
  readonly now: Date;
};

/**
 * Maximum length of one part of a user-supplied value. Values are escaped, so that they end neither
 * the quotes nor the header.
 */
const FACT_PART_CHARACTERS = 60;

/** Returns `name="value"`. A long value is split into consecutive parts. */
function factParts(name: string, value: string): string[] {
  const characters = Array.from(value);
  const parts: string[] = [];
  for (let at = 0; at < characters.length || at === 0; at += FACT_PART_CHARACTERS)
    parts.push(`${name}="${encodeURIComponent(characters.slice(at, at + FACT_PART_CHARACTERS).join(''))}"`);
  return parts;
}

const FACT_WORDS: Readonly<Record<keyof NoticeFacts, string>> = {
  plan: 'New plan',
  former_plan: 'Previous plan',
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
    // Preview for message lists: the text itself is unavailable until the message is opened.
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
