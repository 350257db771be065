/**
 * How often a call may be made: the table, nothing else. The specification has texts for 429 and no numbers; these are
 * docs/interpretations.md#87's and ours. Calls that are not named here are bounded by their cost alone.
 */
import type { api } from '@keyfold/contract';
import type { Plan } from '@keyfold/contract/limits';
import { PLAN_LIMITS } from '../base/limits.ts';

const MINUTE_SECONDS = 60;
const QUARTER_SECONDS = 15 * MINUTE_SECONDS;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Whom a rule counts: ip, an address of the internet (a /64 of IPv6; programs on this machine are not counted); site, the
 * network that many such addresses are one customer's of (/24 of IPv4, /48 of IPv6); user, the caller; account, the account named in the request; visitor, that account from that address; browser, that account from a
 * browser that was signed in to it before.
 *
 * [Note: Known browsers] A request from a known browser is counted under `browser` and under neither `account` nor `visitor`, so
 * that whoever guesses at an account from many addresses does not keep its owner out. A copied cookie is worth as many guesses
 * as one more address, and no more.
 */
export type CountedBy = 'ip' | 'site' | 'user' | 'account' | 'visitor' | 'browser';

export type RateRule = {
  readonly name: string;
  /** Requests allowed in a window; several rules of one name share their count. */
  readonly points: number | ((plan: Plan) => number);
  readonly seconds: number;
  readonly by: CountedBy;
  /** A request that succeeds clears the count: only failures add up. */
  readonly clearedBySuccess?: true;
};

const PASSWORD_AGAIN: RateRule = {
  name: 'password-again',
  points: 10,
  seconds: QUARTER_SECONDS,
  by: 'user',
  clearedBySuccess: true,
};

/** Wrong codes are counted for each account in features/accounts/second-factor; here only how often one may ask at all. */
const SECOND_STEP: RateRule = { name: 'second-step', points: 100, seconds: QUARTER_SECONDS, by: 'ip' };

/** What an admin looks at, and changes: a stolen session does not read all accounts or suspend them within minutes. */
const ADMIN_READ: RateRule = { name: 'admin-read', points: 600, seconds: QUARTER_SECONDS, by: 'user' };
/** One look at the tab is six questions. */
const OPERATOR_READ: RateRule = {
  name: 'operator-read',
  points: 2_400,
  seconds: QUARTER_SECONDS,
  by: 'user',
};
const ADMIN_CHANGE: RateRule = { name: 'admin-change', points: 120, seconds: QUARTER_SECONDS, by: 'user' };

type Api = typeof api;
export type CallName = { [G in keyof Api & string]: `${G}.${keyof Api[G] & string}` }[keyof Api & string];

export const RATE_RULES: { readonly [N in CallName]?: readonly RateRule[] } = {
  'sign_up.captcha': [{ name: 'captcha', points: 60, seconds: QUARTER_SECONDS, by: 'ip' }],
  // One for each pause while somebody types a name. What is beyond it costs nobody an account: the form stops telling. How many
  // one solved captcha is good for is counted in features/accounts/auth.
  'sign_up.available': [
    { name: 'available', points: 30, seconds: QUARTER_SECONDS, by: 'ip' },
    { name: 'available-day', points: 200, seconds: DAY_SECONDS, by: 'ip' },
    { name: 'available-site', points: 300, seconds: QUARTER_SECONDS, by: 'site' },
  ],
  // Those of the whole service, that succeed, are counted in features/accounts/auth.
  'sign_up.register': [
    { name: 'register', points: 30, seconds: HOUR_SECONDS, by: 'ip' },
    { name: 'register-site', points: 300, seconds: HOUR_SECONDS, by: 'site' },
  ],
  'sign_in.login': [
    { name: 'login', points: 10, seconds: QUARTER_SECONDS, by: 'visitor', clearedBySuccess: true },
    // Guesses from many addresses at one account; higher, so that nobody locks another out with ten wrong ones.
    { name: 'login-account', points: 60, seconds: QUARTER_SECONDS, by: 'account', clearedBySuccess: true },
    { name: 'login-browser', points: 10, seconds: QUARTER_SECONDS, by: 'browser', clearedBySuccess: true },
    { name: 'login-ip', points: 200, seconds: QUARTER_SECONDS, by: 'ip' },
  ],
  'recovery.recover': [
    { name: 'recover', points: 10, seconds: QUARTER_SECONDS, by: 'visitor', clearedBySuccess: true },
    { name: 'recover-account', points: 60, seconds: QUARTER_SECONDS, by: 'account', clearedBySuccess: true },
    { name: 'recover-browser', points: 10, seconds: QUARTER_SECONDS, by: 'browser', clearedBySuccess: true },
    { name: 'recover-ip', points: 200, seconds: QUARTER_SECONDS, by: 'ip' },
  ],
  // The password once more: one count for all calls that ask for it.
  'account.change_password': [PASSWORD_AGAIN],
  'account.delete_account': [PASSWORD_AGAIN],
  'account.save_recovery': [PASSWORD_AGAIN],
  // A count of its own: it asks for no password, and a success must not clear what wrong ones counted.
  'account.confirm_recovery': [{ name: 'confirm-kit', points: 10, seconds: QUARTER_SECONDS, by: 'user' }],
  'account.remove_recovery': [PASSWORD_AGAIN],
  'key_rotation.rotate': [
    PASSWORD_AGAIN,
    { name: 'rotate-keys', points: 20, seconds: DAY_SECONDS, by: 'user' },
  ],
  'key_rotation.destroy': [PASSWORD_AGAIN],
  'key_rotation.retired': [{ name: 'retired-keys', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'otp.generate': [{ name: 'totp-secret', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  'otp.initial': [
    { name: 'totp-first', points: 10, seconds: QUARTER_SECONDS, by: 'user', clearedBySuccess: true },
  ],
  'otp.disable': [PASSWORD_AGAIN],
  'mfa.code': [SECOND_STEP],
  'mfa.challenge': [SECOND_STEP],
  'mfa.passkey': [SECOND_STEP],
  'second_factor.challenge': [{ name: 'passkey-ask', points: 120, seconds: QUARTER_SECONDS, by: 'user' }],
  'second_factor.renew_codes': [PASSWORD_AGAIN],
  'second_factor.confirm_codes': [
    { name: 'confirm-codes', points: 10, seconds: QUARTER_SECONDS, by: 'user' },
  ],
  'second_factor.begin_passkey': [PASSWORD_AGAIN],
  'second_factor.add_passkey': [{ name: 'passkey', points: 100, seconds: HOUR_SECONDS, by: 'user' }],
  'second_factor.rename_passkey': [{ name: 'passkey', points: 100, seconds: HOUR_SECONDS, by: 'user' }],
  'second_factor.remove_passkey': [PASSWORD_AGAIN],
  'admin.stats': [ADMIN_READ],
  'admin.users': [ADMIN_READ],
  'admin.mail_hold': [ADMIN_READ],
  'admin.audit': [ADMIN_READ],
  'admin.grant_admin': [{ name: 'admin-level', points: 30, seconds: QUARTER_SECONDS, by: 'user' }],
  'admin.revoke_admin': [{ name: 'admin-level', points: 30, seconds: QUARTER_SECONDS, by: 'user' }],
  'admin.suspend_user': [ADMIN_CHANGE],
  'admin.unsuspend_user': [ADMIN_CHANGE],
  'admin.release_mail': [ADMIN_CHANGE],
  'admin.set_plan': [ADMIN_CHANGE],
  // A client registers at every start; a test is one for somebody who looks at it (docs/interpretations.md#77).
  'notifications.register': [{ name: 'push-device', points: 120, seconds: HOUR_SECONDS, by: 'user' }],
  'notifications.unregister': [{ name: 'push-device', points: 120, seconds: HOUR_SECONDS, by: 'user' }],
  'notifications.remove_device': [{ name: 'push-device', points: 120, seconds: HOUR_SECONDS, by: 'user' }],
  'notifications.preferences': [{ name: 'push-choice', points: 300, seconds: HOUR_SECONDS, by: 'user' }],
  'notifications.update_badge': [{ name: 'push-count', points: 3_600, seconds: HOUR_SECONDS, by: 'user' }],
  'notifications.update_group_summary': [
    { name: 'push-count', points: 3_600, seconds: HOUR_SECONDS, by: 'user' },
  ],
  'notifications.test': [{ name: 'push-test', points: 10, seconds: HOUR_SECONDS, by: 'user' }],
  'operations.queue': [OPERATOR_READ],
  'operations.domains': [OPERATOR_READ],
  'operations.jobs': [OPERATOR_READ],
  'operations.reports': [OPERATOR_READ],
  'operations.storage': [OPERATOR_READ],
  'operations.versions': [OPERATOR_READ],
  'sign_up_codes.list': [OPERATOR_READ],
  'operations.deliver_now': [ADMIN_CHANGE],
  // A domain is dropped some messages at a time.
  'operations.drop_mail': [{ name: 'drop-mail', points: 1_200, seconds: QUARTER_SECONDS, by: 'user' }],
  'sign_up_codes.create_invitation': [ADMIN_CHANGE],
  'sign_up_codes.remove_invitation': [ADMIN_CHANGE],
  'admin_access.token': [{ name: 'csrf', points: 120, seconds: QUARTER_SECONDS, by: 'user' }],
  'account.storage': [{ name: 'storage', points: 120, seconds: QUARTER_SECONDS, by: 'user' }],
  // The tokens cannot be guessed; each that is made is a row.
  'biometrics.turn_on': [{ name: 'biometrics', points: 30, seconds: HOUR_SECONDS, by: 'user' }],
  'biometrics.enter': [{ name: 'restore', points: 200, seconds: QUARTER_SECONDS, by: 'ip' }],
  'biometrics.turn_off': [{ name: 'restore', points: 200, seconds: QUARTER_SECONDS, by: 'ip' }],
  'auth.restore': [{ name: 'restore', points: 200, seconds: QUARTER_SECONDS, by: 'ip' }],
  // A name that is given up is nobody's any more: one person must not use many up.
  'addresses.create': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'addresses.rotate': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.address': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.change': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.register': [{ name: 'domain', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.new_key': [{ name: 'domain-key', points: 20, seconds: DAY_SECONDS, by: 'user' }],
  // A wizard that is open asks twice a minute.
  'domains.health': [{ name: 'domain-check', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'domains.readiness': [{ name: 'domain-check', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'organization.create': [{ name: 'organization', points: 20, seconds: DAY_SECONDS, by: 'user' }],
  // Each try may name another secret: as few as sign-ups, and its own count.
  'organization.join': [{ name: 'join', points: 30, seconds: HOUR_SECONDS, by: 'user' }],
  'organization.invite': [{ name: 'invite', points: 500, seconds: DAY_SECONDS, by: 'user' }],
  'organization.reset_password': [{ name: 'reset', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  // Secrets of links cannot be guessed.
  'joining.invitation': [{ name: 'link', points: 120, seconds: QUARTER_SECONDS, by: 'ip' }],
  'joining.reset': [{ name: 'link', points: 120, seconds: QUARTER_SECONDS, by: 'ip' }],
  'joining.set_password': [{ name: 'set-password', points: 30, seconds: HOUR_SECONDS, by: 'ip' }],
  'calendar.emailrsvp': [{ name: 'emailrsvp', points: 60, seconds: QUARTER_SECONDS, by: 'ip' }],
  'calendar.tokens': [{ name: 'event-tokens', points: 120, seconds: HOUR_SECONDS, by: 'user' }],
  // Share codes cannot be guessed; the others tell whether an address is taken, as /user/keys does.
  'contacts.generate': [{ name: 'share-code', points: 120, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.share_state': [{ name: 'share-state', points: 1_200, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.add': [{ name: 'contact', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.add_unverified': [{ name: 'contact', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.change': [{ name: 'contact', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'mail.keys': [{ name: 'keys', points: 60, seconds: MINUTE_SECONDS, by: 'user' }],
  // Requests, refused and repeated ones too. Messages that really went are counted in features/outbound/sending, by plan.
  'sending.send_private': [
    { name: 'send', points: plan => 3 * PLAN_LIMITS[plan].sendsPerHour, seconds: HOUR_SECONDS, by: 'user' },
    // An office behind one address sends less; many accounts of one spammer would send more.
    { name: 'send-ip', points: 20_000, seconds: HOUR_SECONDS, by: 'ip' },
  ],
  'sending.draft': [{ name: 'draft', points: 1_200, seconds: HOUR_SECONDS, by: 'user' }],
  'sending.empty': [{ name: 'empty', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  // A full mailbox of small mail is some thousand batches; its files are bounded by the storage.
  'imports.seal': [{ name: 'seal-import', points: 7_200, seconds: HOUR_SECONDS, by: 'user' }],
  'imports.container': [{ name: 'import-container', points: 72_000, seconds: HOUR_SECONDS, by: 'user' }],
  // Each is gigabytes on the disk until it was read.
  'server_imports.start_pst': [{ name: 'pst-import', points: 20, seconds: DAY_SECONDS, by: 'user' }],
  // Each signs in somewhere else: nobody is to try passwords, or to look where something listens, from here.
  'server_imports.imap_folders': [
    { name: 'imap-look', points: 10, seconds: QUARTER_SECONDS, by: 'user' },
    { name: 'imap-look-day', points: 60, seconds: DAY_SECONDS, by: 'user' },
  ],
  'server_imports.start_imap': [{ name: 'imap-import', points: 20, seconds: DAY_SECONDS, by: 'user' }],
  'signatures.create': [{ name: 'signature', points: 300, seconds: HOUR_SECONDS, by: 'user' }],
  'signatures.change': [{ name: 'signature', points: 300, seconds: HOUR_SECONDS, by: 'user' }],
  'records.save': [{ name: 'record', points: 3_000, seconds: HOUR_SECONDS, by: 'user' }],
  'remote_content.image': [{ name: 'remote-image', points: 3_000, seconds: HOUR_SECONDS, by: 'user' }],
  'remote_content.unsubscribe': [{ name: 'unsubscribe', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  // Segments are merged before they are stored; a first index of a full mailbox takes some dozens.
  'search.add_segment': [{ name: 'search-segment', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  // Each is a request to Stripe.
  'billing.upgrade': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  'billing.portal': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  'billing.cancel': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  'billing.resume': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  // Forged ones are cheap to refuse; those that hold are Stripe's and never too many.
  'billing.webhook': [
    { name: 'stripe-webhook', points: 300, seconds: QUARTER_SECONDS, by: 'ip', clearedBySuccess: true },
  ],
  'sending.upload': [{ name: 'upload', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
};
