// What a notice of this service says, in the reader's language. The server writes it in English and names its kind and its
// facts in a header, which counts in alert mails alone: nothing that comes from outside can be one (Spec §4).
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { formatFullDate } from '../../lib/dates.ts';
import { t, term } from '../../lib/language.ts';

type Words = { readonly subject: string; readonly text: string; readonly advice?: string };

const serviceAdvice = term('If you have questions about it, ask those who run this service.');

const organisationAdvice = term(
  'Who did it, and when, stands in the log under Organisation in the settings, for its owners and admins. If it was not agreed, ask them.',
);

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
    advice: organisationAdvice,
  },
  owners_changed: {
    subject: term('The owners of your organisation changed'),
    text: term('Somebody became an owner of your organisation, or is none any more.'),
    advice: organisationAdvice,
  },
  role_admin: {
    subject: term('You are an admin of your organisation now'),
    text: term(
      'An owner of your organisation changed your role. Admins invite, remove and reset members, and connect domains. Owners can reset the password of an admin, and no other owner’s.',
    ),
    advice: organisationAdvice,
  },
  role_member: {
    subject: term('You are a member of your organisation now'),
    text: term(
      'An owner of your organisation changed your role. Members see who else belongs to it. Owners and admins can reset the password of a member.',
    ),
    advice: organisationAdvice,
  },
  role_owner: {
    subject: term('You are an owner of your organisation now'),
    text: term(
      'An owner of your organisation changed your role. Owners manage everybody, give roles, and can delete the organisation.',
    ),
    advice: organisationAdvice,
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
  },
  second_factor_off: {
    subject: term('Two-factor sign-in was turned off'),
    text: term('From now on your password alone opens your account.'),
  },
  second_factor_on: {
    subject: term('Two-factor sign-in was turned on'),
    text: term('From now on signing in asks for a second factor after your password.'),
  },
  authenticator_on: {
    subject: term('An authenticator app was added'),
    text: term('Its codes are a second factor of your account from now on.'),
  },
  authenticator_off: {
    subject: term('Your authenticator app was removed'),
    text: term('Its codes are good for nothing any more. Your keys still are a second factor.'),
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
  },
  passkey_removed: {
    subject: term('A passkey or security key was removed'),
    text: term('It is good for nothing any more. Your account still asks for a second factor.'),
  },
  recovery_code_used: {
    subject: term('A recovery code was used'),
    text: term('It took the place of your second factor, and is good for nothing any more.'),
  },
  recovery_codes_renewed: {
    subject: term('New recovery codes were made'),
    text: term('The old ones are good for nothing any more.'),
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
  wrong_codes: {
    subject: term('Wrong codes for your second factor'),
    text: term(
      'Several wrong codes came in a row from somebody who has your password, a session or your recovery kit. Codes of your authenticator app are refused for a while; keys and recovery codes are not.',
    ),
  },
} as const satisfies Record<string, Words>;

const usualAdvice = term(
  'If this was you, there is nothing to do. If not, change your password and look at your sessions under Security.',
);

const factOf = (notice: string, name: string): string =>
  new RegExp(`;\\s*${name}="([^"]*)"`).exec(notice)?.[1] ?? '';

/** The text of a notice, or null when this program does not know its kind: then its own text is shown. */
export function noticeText(parsed: Pick<ParsedMessage, 'date' | 'headers'>): string | null {
  const notice = parsed.headers.find(({ key }) => key === 'x-keyfold-notice')?.value ?? '';
  const kind = notice.split(';', 1)[0]?.trim() ?? '';
  if (!Object.hasOwn(words, kind)) return null;
  const { text, advice = usualAdvice }: Words = words[kind as keyof typeof words];
  const device = [factOf(notice, 'browser'), factOf(notice, 'system')].filter(Boolean).join(', ');
  const lines = [
    t(text),
    '',
    // What the operator did came from no browser.
    ...(notice.includes(';')
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
