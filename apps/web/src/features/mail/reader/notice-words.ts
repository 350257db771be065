// Translates the service's notices into the reader's language. The server writes them in English
// and puts their kind and facts in a header, which is honored in alert messages only: no message
// from outside can be one (docs/spec-map.md 4).
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { formatFullDate } from '../../../lib/dates.ts';
import { t, term } from '../../../lib/language.ts';
import { joinParts } from '../../../lib/words.ts';
import { adminPath, notMePath, securityPath, settingsPath } from '../../../paths.ts';
import type { NoticeAction } from '../state/view-model.ts';

type Words = { readonly subject: string; readonly text: string; readonly advice?: string };

const serviceAdvice = term('If you have questions, contact the administrator of this service.');

const organizationAdvice = term(
  'Owners and admins can see who did this and when in the activity log, in Settings > Organization. If you didn’t expect this, ask them.',
);

const usualAdvice = term(
  'If this was you, you don’t need to do anything. If it wasn’t, change your password and review your sessions under Security.',
);

const kitAdvice = term(
  'If this was you, you don’t need to do anything: the same recovery words still open your account. If it wasn’t, end your other sessions, change your password and create a new recovery kit under Security so that the old words stop working.',
);

const factorAdvice = term(
  'If this was you, you don’t need to do anything. If it wasn’t, end your other sessions, change your password and review two-factor authentication under Security: remove anything that isn’t yours and create new recovery codes.',
);

/**
 * Advice about actions that the reader may have taken. Only notices with this advice offer "This
 * wasn’t me".
 */
const ownAdvices: readonly string[] = [usualAdvice, kitAdvice, factorAdvice];

const words = {
  account_suspended: {
    subject: term('Your account was suspended'),
    text: term(
      'All your sessions have ended. During the suspension, mail to you is delayed and your outgoing mail waits.',
    ),
    advice: serviceAdvice,
  },
  account_unsuspended: {
    subject: term('Your account is active again'),
    text: term('The suspension has ended. You can send and receive mail again.'),
    advice: serviceAdvice,
  },
  admin_granted: {
    subject: term('You are now an admin of this service'),
    text: term('Another admin gave you admin access. Open the Admin Dashboard from your account menu.'),
    advice: serviceAdvice,
  },
  admin_revoked: {
    subject: term('You are no longer an admin of this service'),
    text: term('Another admin removed your admin access. Your mail is not affected.'),
    advice: serviceAdvice,
  },
  mail_held: {
    subject: term('Your mail to other providers is on hold'),
    text: term(
      'Mail from your account to other providers showed signs of spam, such as many new recipients, many rejections or suspicious content. Messages already sent wait in the queue, and new ones are refused until the hold ends. Mail to people on this service is not affected.',
    ),
    advice: term(
      'If you sent these messages yourself, you don’t need to do anything: the hold ends by itself. If you didn’t, someone else is using your account. Change your password and review your sessions under Security.',
    ),
  },
  mail_of_account_held: {
    subject: term('Mail from an account is on hold'),
    text: term(
      'An account on this service showed signs of sending spam, so its mail to other providers is on hold. The audit log shows which account and why.',
    ),
    advice: term(
      'If it is spam, suspend the account and drop its mail from the queue under Operations. If it isn’t, the hold ends by itself, or you can release the mail now from the account in User Management.',
    ),
  },
  plan_set: {
    subject: term('Your plan was changed'),
    text: term(
      'An admin of this service changed your plan. You keep everything you have, and the new limits apply from now on.',
    ),
    advice: serviceAdvice,
  },
  keys_replaced: {
    subject: term('Your keys were replaced'),
    text: term(
      'New mail is encrypted with your new keys. All other sessions have ended, and your old recovery kit no longer works.',
    ),
  },
  new_login: {
    subject: term('New sign-in to your account'),
    text: term(
      'Someone signed in with your password from a browser that hadn’t been used with your account before.',
    ),
  },
  password_changed: {
    subject: term('Your password was changed'),
    text: term('All other sessions have ended.'),
  },
  organization_left: {
    subject: term('You are no longer a member of your organization'),
    text: term('You keep your account and its mail. Addresses at the organization’s domains no longer work.'),
    advice: term('Your current addresses are listed in Settings > Addresses.'),
  },
  reset_begun: {
    subject: term('Your organization started a reset of your password'),
    text: term(
      'All your sessions have ended, and your organization has a link that sets a new password. Your old password works until the link is used.',
    ),
    advice: term(
      'If you didn’t ask for this, contact your organization. Once the link is used, your existing mail can no longer be opened.',
    ),
  },
  member_reset_begun: {
    subject: term('A password reset was started in your organization'),
    text: term(
      'Someone who manages your organization created a link that sets a new password for a member. Anyone who uses the link can read mail the member receives from then on, but no earlier mail.',
    ),
    advice: organizationAdvice,
  },
  owners_changed: {
    subject: term('The owners of your organization changed'),
    text: term('Someone became an owner of your organization or is no longer one.'),
    advice: organizationAdvice,
  },
  role_admin: {
    subject: term('You are now an admin of your organization'),
    text: term(
      'An owner of your organization changed your role. Admins can invite and remove members, reset their passwords and connect domains. Owners can reset the passwords of admins, but not those of other owners.',
    ),
    advice: organizationAdvice,
  },
  role_member: {
    subject: term('You are now a member of your organization'),
    text: term(
      'An owner of your organization changed your role. Members can see who else belongs to the organization. Owners and admins can reset a member’s password.',
    ),
    advice: organizationAdvice,
  },
  role_owner: {
    subject: term('You are now an owner of your organization'),
    text: term(
      'An owner of your organization changed your role. Owners can manage everyone, assign roles and delete the organization.',
    ),
    advice: organizationAdvice,
  },
  reset_used: {
    subject: term('Your password was reset'),
    text: term(
      'A link from your organization was used to set a new password with new keys. Your earlier mail can no longer be opened. All sessions have ended, and your old recovery kit no longer works.',
    ),
    advice: term('If this wasn’t you, contact your organization. Create a new recovery kit under Security.'),
  },
  recovery_used: {
    subject: term('Your recovery kit was used'),
    text: term('A new password was set with your recovery kit. All other sessions have ended.'),
    advice: kitAdvice,
  },
  second_factor_off: {
    subject: term('Two-factor authentication was turned off'),
    text: term('From now on, your password alone opens your account.'),
    advice: factorAdvice,
  },
  second_factor_on: {
    subject: term('Two-factor authentication was turned on'),
    text: term('From now on, signing in requires a second factor after your password.'),
    advice: factorAdvice,
  },
  authenticator_on: {
    subject: term('An authenticator app was added'),
    text: term('You can now use its codes as your second factor.'),
    advice: factorAdvice,
  },
  authenticator_off: {
    subject: term('Your authenticator app was removed'),
    text: term('Its codes no longer work. Your passkeys and security keys still work as your second factor.'),
    advice: factorAdvice,
  },
  biometrics_on: {
    subject: term('Biometric sign-in was turned on'),
    text: term(
      'The device below can now open your account with biometrics for 7 days, or for 30 days if it stays signed in.',
    ),
  },
  biometrics_moved: {
    subject: term('Biometric sign-in was used from a new app or browser'),
    text: term(
      'Someone used a phone’s biometric sign-in from an app or browser that hadn’t signed in before.',
    ),
  },
  passkey_added: {
    subject: term('A passkey or security key was added'),
    text: term('You can now use it as your second factor.'),
    advice: factorAdvice,
  },
  passkey_removed: {
    subject: term('A passkey or security key was removed'),
    text: term('It no longer works. Your account still requires a second factor.'),
    advice: factorAdvice,
  },
  recovery_code_used: {
    subject: term('A recovery code was used'),
    text: term('It was used in place of your second factor and no longer works.'),
    advice: factorAdvice,
  },
  recovery_codes_renewed: {
    subject: term('New recovery codes were created'),
    text: term('The old codes stop working once the new ones are confirmed.'),
    advice: factorAdvice,
  },
  second_factor_reset: {
    subject: term('An administrator turned off two-factor authentication'),
    text: term(
      'Your authenticator app, passkeys, security keys and recovery codes were removed. From now on, your password alone opens your account.',
    ),
    advice: term(
      'If you asked for this, set up two-factor authentication again under Security. If you didn’t, set it up anyway and contact the administrator of this service.',
    ),
  },
  spam_filter_on: {
    subject: term('Your spam filter is on'),
    text: term(
      'Messages from other providers that look like spam now go to Spam instead of the inbox. They stay there for you to review, and nothing is deleted.',
    ),
    advice: term('You can change how strict the filter is, or turn it off, in Security > Spam and senders.'),
  },
  welcome: {
    subject: term('Welcome to Keyfold'),
    text: term(
      'Your mailbox is ready. Messages to people on this service are end-to-end encrypted, and all mail is stored encrypted with your keys.',
    ),
    advice: term(
      'Save your recovery kit first. If you lose your password and have no kit, no one can open your mail, not even this service. You can import your old mail in Settings > Import.',
    ),
  },
  wrong_codes: {
    subject: term('Several incorrect two-factor codes'),
    text: term(
      'Someone who has your password, a session or your recovery kit entered several incorrect codes in a row. Codes from your authenticator app are rejected for a while. Passkeys, security keys and recovery codes still work.',
    ),
    advice: factorAdvice,
  },
} as const satisfies Record<string, Words>;

type NoticePage = { readonly label: string; readonly path: string };

const twoFactorPage: NoticePage = {
  label: term('Two-factor authentication'),
  path: securityPath('two-factor'),
};
const kitPage: NoticePage = { label: term('Recovery kit'), path: securityPath('recovery') };
const sessionsPage: NoticePage = { label: term('Sessions'), path: securityPath('sessions') };
const organizationPage: NoticePage = { label: term('Organization'), path: settingsPath('organisation') };

/** Pages of this app where the user can act on a notice. */
const pages: { readonly [K in keyof typeof words]?: NoticePage } = {
  admin_granted: { label: term('Admin Dashboard'), path: adminPath },
  authenticator_off: twoFactorPage,
  authenticator_on: twoFactorPage,
  keys_replaced: kitPage,
  mail_held: sessionsPage,
  mail_of_account_held: { label: term('Admin Dashboard'), path: adminPath },
  member_reset_begun: organizationPage,
  organization_left: { label: term('Addresses'), path: settingsPath('addresses') },
  owners_changed: organizationPage,
  passkey_added: twoFactorPage,
  passkey_removed: twoFactorPage,
  plan_set: { label: term('Subscription'), path: settingsPath('subscription') },
  recovery_code_used: { label: term('Create new codes'), path: securityPath('two-factor') },
  recovery_codes_renewed: twoFactorPage,
  recovery_used: kitPage,
  reset_used: kitPage,
  role_admin: organizationPage,
  role_member: organizationPage,
  role_owner: organizationPage,
  second_factor_off: twoFactorPage,
  second_factor_on: twoFactorPage,
  second_factor_reset: twoFactorPage,
  spam_filter_on: { label: term('Spam and senders'), path: securityPath('spam') },
  welcome: kitPage,
};

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns a fact of a notice. A long fact is split into consecutive parts. */
const factOf = (notice: string, name: string): string =>
  [...notice.matchAll(new RegExp(`;\\s*${name}="([^"]*)"`, 'g'))]
    .map(([, part]) => decoded(part ?? ''))
    .join('');

const planNames = new Map([
  ['free', 'Free'],
  ['plus', 'Plus'],
  ['pro', 'Pro'],
]);

const levelWords = new Map([
  ['readonly', term('Read-only')],
  ['standard', term('Standard')],
  ['super', term('Super')],
]);

/** Returns the facts for the operator or the owner, one per line. */
function factLines(notice: string): string[] {
  const fact = (name: string) => factOf(notice, name);
  const [plan, former, level, left, passkey, reason] = [
    planNames.get(fact('plan')),
    planNames.get(fact('former_plan')),
    levelWords.get(fact('level')),
    fact('codes_left'),
    fact('passkey'),
    fact('reason'),
  ];
  return [
    plan !== undefined && former !== undefined && t('Plan: {plan} (previously {former})', { plan, former }),
    level !== undefined && t('Admin level: {level}', { level: t(level) }),
    /^\d+$/.test(left) &&
      t('{count, plural, one {# of 10 codes left} other {# of 10 codes left}}', { count: Number(left) }),
    passkey !== '' && t('Key: {name}', { name: passkey }),
    reason !== '' && t('Reason: {reason}', { reason }),
  ].filter(line => line !== false);
}

const noticeOf = (parsed: Pick<ParsedMessage, 'headers'>): string =>
  parsed.headers.find(({ key }) => key === 'x-keyfold-notice')?.value ?? '';

function kindOf(notice: string): keyof typeof words | null {
  const kind = notice.split(';', 1)[0]?.trim() ?? '';
  return Object.hasOwn(words, kind) ? (kind as keyof typeof words) : null;
}

/**
 * Returns the actions for a notice: pages of this app only, chosen by the notice's kind and nothing
 * else in it.
 */
export function noticeActions(parsed: Pick<ParsedMessage, 'headers'>): readonly NoticeAction[] {
  const kind = kindOf(noticeOf(parsed));
  if (kind === null) return [];
  const own = pages[kind];
  const { advice = usualAdvice }: Words = words[kind];
  return [
    ...(ownAdvices.includes(advice) ? [{ label: t('This wasn’t me'), path: notMePath, isAlarm: true }] : []),
    ...(own === undefined ? [] : [{ label: t(own.label), path: own.path, isAlarm: false }]),
  ];
}

/** Returns the text of a notice, or null for an unknown kind, whose own text is then shown. */
export function noticeText(parsed: Pick<ParsedMessage, 'date' | 'headers'>): string | null {
  const notice = noticeOf(parsed);
  const kind = kindOf(notice);
  if (kind === null) return null;
  const { text, advice = usualAdvice }: Words = words[kind];
  const device = joinParts([factOf(notice, 'browser'), factOf(notice, 'system')]);
  const lines = [
    t(text),
    '',
    ...factLines(notice),
    // Actions of the operator have no browser.
    ...(/;\s*browser=/.test(notice)
      ? [
          t('Device: {device}', { device: device || t('Unknown device') }),
          t('Network: {address}', { address: factOf(notice, 'address') }),
        ]
      : []),
    ...(parsed.date === null ? [] : [t('Time: {time}', { time: formatFullDate(new Date(parsed.date)) })]),
    '',
    t(advice),
  ];
  return lines.join('\n');
}
