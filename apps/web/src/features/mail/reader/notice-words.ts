// What a notice of this service says, in the reader's language. The server writes it in English and names its kind and its
// facts in a header, which counts in alert mails alone: nothing that comes from outside can be one (docs/spec-map.md 4).
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { formatFullDate } from '../../../lib/dates.ts';
import { t, term } from '../../../lib/language.ts';
import { adminPath, notMePath, securityPath, settingsPath } from '../../../paths.ts';
import type { NoticeAction } from '../state/view-model.ts';

type Words = { readonly subject: string; readonly text: string; readonly advice?: string };

const serviceAdvice = term('If you have questions about it, ask those who run this service.');

const organizationAdvice = term(
  'Who did it, and when, stands in the log under Organisation in the settings, for its owners and admins. If it was not agreed, ask them.',
);

const usualAdvice = term(
  'If this was you, there is nothing to do. If not, change your password and look at your sessions under Security.',
);

const kitAdvice = term(
  'If this was you, there is nothing to do: the same words still open your account. If not, end the other sessions, change your password, and make a new recovery kit under Security, so that the words stop working.',
);

const factorAdvice = term(
  'If this was you, there is nothing to do. If not, end the other sessions, change your password, and look at your second factor under Security: remove what is not yours and make new recovery codes.',
);

/** What is said about what the reader may have done: only of these one can say that it was somebody else. */
const ownAdvices: readonly string[] = [usualAdvice, kitAdvice, factorAdvice];

const words = {
  account_suspended: {
    subject: term('Your account was suspended'),
    text: term(
      'All sessions were ended. Mail that came meanwhile was put off, and mail that was still to go out waited.',
    ),
    advice: serviceAdvice,
  },
  account_unsuspended: {
    subject: term('Your account is open again'),
    text: term('The suspension has ended. You can send and receive mail as before.'),
    advice: serviceAdvice,
  },
  admin_granted: {
    subject: term('You are an admin of this service now'),
    text: term(
      'Another admin gave your account an admin level. You find the console in the menu of your account.',
    ),
    advice: serviceAdvice,
  },
  admin_revoked: {
    subject: term('You are no admin of this service any more'),
    text: term('Another admin took the admin level from your account. Your mail is untouched.'),
    advice: serviceAdvice,
  },
  mail_held: {
    subject: term('Your mail to other services is held'),
    text: term(
      'Mail from your account to other services showed signs of spam: many recipients who are new to you, many refusals, or its text. It waits for a while, and no more is taken meanwhile. Mail to people at this service is not affected.',
    ),
    advice: term(
      'If you sent it yourself, there is nothing to do: it goes on by itself. If not, somebody else uses your account: change your password and look at your sessions under Security.',
    ),
  },
  mail_of_account_held: {
    subject: term('Mail of an account is held'),
    text: term(
      'An account of this service showed signs of sending spam, and its mail to other services waits for a while. The audit log says which account, and why.',
    ),
    advice: term(
      'If it is spam, suspend the account and drop its mail under Operations. If not, it goes on by itself, and you can release it at once at the account under User Management.',
    ),
  },
  plan_set: {
    subject: term('Your plan was changed'),
    text: term(
      'An admin of this service changed the plan of your account. What you have stays; new limits count from now on.',
    ),
    advice: serviceAdvice,
  },
  keys_replaced: {
    subject: term('Your keys were replaced'),
    text: term('New mail is sealed to new keys. All other sessions have ended, and so has the recovery kit.'),
  },
  new_login: {
    subject: term('New sign-in to your account'),
    text: term('Somebody signed in with your password from a browser that was not used for it before.'),
  },
  password_changed: {
    subject: term('Your password was changed'),
    text: term('All other sessions have ended.'),
  },
  organization_left: {
    subject: term('You no longer belong to your organisation'),
    text: term('Your account and its mail stay. Addresses at the domains of the organisation have ended.'),
    advice: term('The addresses that you have now are listed under Addresses in the settings.'),
  },
  reset_begun: {
    subject: term('Your organisation began to reset your password'),
    text: term(
      'All your sessions have ended, and your organisation has a link by which a new password is set. Your old password works until the link is used.',
    ),
    advice: term(
      'If you did not ask for it, ask your organisation. With the link used, mail from before cannot be opened.',
    ),
  },
  member_reset_begun: {
    subject: term('A password reset was begun in your organisation'),
    text: term(
      'Somebody who manages your organisation made a link by which a new password is set for a member. Whoever has the link gets the mail that comes to the member from then on, and none from before.',
    ),
    advice: organizationAdvice,
  },
  owners_changed: {
    subject: term('The owners of your organisation changed'),
    text: term('Somebody became an owner of your organisation, or is none any more.'),
    advice: organizationAdvice,
  },
  role_admin: {
    subject: term('You are an admin of your organisation now'),
    text: term(
      'An owner of your organisation changed your role. Admins invite, remove and reset members, and connect domains. Owners can reset the password of an admin, and no other owner’s.',
    ),
    advice: organizationAdvice,
  },
  role_member: {
    subject: term('You are a member of your organisation now'),
    text: term(
      'An owner of your organisation changed your role. Members see who else belongs to it. Owners and admins can reset the password of a member.',
    ),
    advice: organizationAdvice,
  },
  role_owner: {
    subject: term('You are an owner of your organisation now'),
    text: term(
      'An owner of your organisation changed your role. Owners manage everybody, give roles, and can delete the organisation.',
    ),
    advice: organizationAdvice,
  },
  reset_used: {
    subject: term('Your password was reset'),
    text: term(
      'A link of your organisation was used to set a new password with new keys. Mail from before cannot be opened any more. All sessions have ended, and so has the recovery kit.',
    ),
    advice: term('If this was not you, ask your organisation. Make a new recovery kit under Security.'),
  },
  recovery_used: {
    subject: term('Your recovery kit was used'),
    text: term('A new password was set with your recovery kit. All other sessions have ended.'),
    advice: kitAdvice,
  },
  second_factor_off: {
    subject: term('Two-factor sign-in was turned off'),
    text: term('From now on your password alone opens your account.'),
    advice: factorAdvice,
  },
  second_factor_on: {
    subject: term('Two-factor sign-in was turned on'),
    text: term('From now on signing in asks for a second factor after your password.'),
    advice: factorAdvice,
  },
  authenticator_on: {
    subject: term('An authenticator app was added'),
    text: term('Its codes are a second factor of your account from now on.'),
    advice: factorAdvice,
  },
  authenticator_off: {
    subject: term('Your authenticator app was removed'),
    text: term('Its codes are good for nothing any more. Your keys still are a second factor.'),
    advice: factorAdvice,
  },
  biometrics_on: {
    subject: term('Biometric sign-in was turned on'),
    text: term(
      'From now on the device below opens your account after it has asked for a finger or a face: for 7 days, or for 30 where it stays signed in.',
    ),
  },
  biometrics_moved: {
    subject: term('Biometric sign-in was used from a new program'),
    text: term(
      'Somebody signed in with what a phone keeps for its biometrics, from a program that had not signed in before.',
    ),
  },
  passkey_added: {
    subject: term('A passkey or security key was added'),
    text: term('It is a second factor of your account from now on.'),
    advice: factorAdvice,
  },
  passkey_removed: {
    subject: term('A passkey or security key was removed'),
    text: term('It is good for nothing any more. Your account still asks for a second factor.'),
    advice: factorAdvice,
  },
  recovery_code_used: {
    subject: term('A recovery code was used'),
    text: term('It took the place of your second factor, and is good for nothing any more.'),
    advice: factorAdvice,
  },
  recovery_codes_renewed: {
    subject: term('New recovery codes were made'),
    text: term('The old ones stop working once the new ones are confirmed.'),
    advice: factorAdvice,
  },
  second_factor_reset: {
    subject: term('The operator turned two-factor sign-in off'),
    text: term(
      'Authenticator app, keys and recovery codes are forgotten. From now on your password alone opens your account.',
    ),
    advice: term(
      'If you asked for it, set up a new second factor under Security. If not, do so all the same, and ask the operator.',
    ),
  },
  spam_filter_on: {
    subject: term('Your spam filter is on'),
    text: term(
      'Messages from outside that look like spam now go to Spam instead of the inbox. They stay there for you to check, and nothing is deleted.',
    ),
    advice: term(
      'You can change how strict the filter is, or turn it off, under Spam filter in the settings.',
    ),
  },
  welcome: {
    subject: term('Welcome to Keyfold'),
    text: term(
      'Your mailbox is ready. Messages to people at this service are end-to-end encrypted, and all mail is stored encrypted with your keys.',
    ),
    advice: term(
      'Save your recovery kit first: if you lose your password and have no kit, nobody can open your mail, not even the operator of this service. You can bring your old mail along under Import.',
    ),
  },
  wrong_codes: {
    subject: term('Wrong codes for your second factor'),
    text: term(
      'Several wrong codes came in a row from somebody who has your password, a session or your recovery kit. Codes of your authenticator app are refused for a while; keys and recovery codes are not.',
    ),
    advice: factorAdvice,
  },
} as const satisfies Record<string, Words>;

type NoticePage = { readonly label: string; readonly path: string };

const twoFactorPage: NoticePage = { label: term('Two-factor sign-in'), path: securityPath('two-factor') };
const kitPage: NoticePage = { label: term('Recovery kit'), path: securityPath('recovery') };
const sessionsPage: NoticePage = { label: term('Sessions'), path: securityPath('sessions') };
const organizationPage: NoticePage = { label: term('Organisation'), path: settingsPath('organisation') };

/** The page of this program where one acts on a notice. */
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
  recovery_code_used: { label: term('Make new codes'), path: securityPath('two-factor') },
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

/** A fact of a notice; a long one comes in parts, which follow each other. */
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
  ['readonly', term('Read only')],
  ['standard', term('Standard')],
  ['super', term('Super')],
]);

/** The facts that the operator or the owner should read, each on its line. */
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
    plan !== undefined && former !== undefined && t('Plan: {plan}, before: {former}', { plan, former }),
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

/** What one can do about a notice: pages of this program alone, chosen by its kind and by nothing else in it. */
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

/** The text of a notice, or null when this program does not know its kind: then its own text is shown. */
export function noticeText(parsed: Pick<ParsedMessage, 'date' | 'headers'>): string | null {
  const notice = noticeOf(parsed);
  const kind = kindOf(notice);
  if (kind === null) return null;
  const { text, advice = usualAdvice }: Words = words[kind];
  const device = [factOf(notice, 'browser'), factOf(notice, 'system')].filter(Boolean).join(', ');
  const lines = [
    t(text),
    '',
    ...factLines(notice),
    // What the operator did came from no browser.
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
