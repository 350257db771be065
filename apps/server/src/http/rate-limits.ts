/**
 * The table of rate limits, and nothing else. The specification has texts for 429 but no numbers;
 * these are from docs/interpretations.md#87 and our own choice. Endpoints not listed here are
 * limited by their cost alone.
 */
import type { api } from '@keyfold/contract';
import type { Plan } from '@keyfold/contract/plans';
import { PLAN_LIMITS } from '../base/limits.ts';

const MINUTE_SECONDS = 60;
const QUARTER_SECONDS = 15 * MINUTE_SECONDS;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * The party that a rule counts: ip, an internet address (a /64 of IPv6; programs on this machine
 * are not counted); site, a network of many such addresses that belong to one customer (/24 of
 * IPv4, /48 of IPv6); user, the caller; account, the account named in the request; visitor, that
 * account from that address; browser, that account from a browser that signed in to it before.
 *
 * [Note: Known browsers] A request from a known browser is counted under `browser` and under
 * neither `account` nor `visitor`, so that an attacker who guesses at an account from many
 * addresses does not lock out its owner. A copied cookie allows only as many guesses as one more
 * address.
 */
export type CountedBy = 'ip' | 'site' | 'user' | 'account' | 'visitor' | 'browser';

export type RateRule = {
  readonly name: string;
  /** Requests allowed per window; rules with the same name share their count. */
  readonly points: number | ((plan: Plan) => number);
  readonly seconds: number;
  readonly by: CountedBy;
  /** A successful request clears the count, so only failures add up. */
  readonly clearedBySuccess?: true;
};

const PASSWORD_AGAIN: RateRule = {
  name: 'password-again',
  points: 10,
  seconds: QUARTER_SECONDS,
  by: 'user',
  clearedBySuccess: true,
};

/**
 * features/accounts/second-factor counts wrong codes per account; this only limits the number of
 * attempts.
 */
const SECOND_STEP: RateRule = { name: 'second-step', points: 100, seconds: QUARTER_SECONDS, by: 'ip' };

/**
 * Limits an admin's reads and changes: a stolen session cannot read or suspend all accounts within
 * minutes.
 */
const ADMIN_READ: RateRule = { name: 'admin-read', points: 600, seconds: QUARTER_SECONDS, by: 'user' };
/** Opening the tab once makes six requests. */
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
  // One request for each pause while a user types a name. Exceeding it blocks no sign-up: the form
  // just stops showing availability. features/accounts/auth counts how many requests one solved
  // captcha allows.
  'sign_up.available': [
    { name: 'available', points: 30, seconds: QUARTER_SECONDS, by: 'ip' },
    { name: 'available-day', points: 200, seconds: DAY_SECONDS, by: 'ip' },
    { name: 'available-site', points: 300, seconds: QUARTER_SECONDS, by: 'site' },
  ],
  // features/accounts/auth counts the successful sign-ups of the whole service.
  'sign_up.register': [
    { name: 'register', points: 30, seconds: HOUR_SECONDS, by: 'ip' },
    { name: 'register-site', points: 300, seconds: HOUR_SECONDS, by: 'site' },
  ],
  'sign_in.login': [
    { name: 'login', points: 10, seconds: QUARTER_SECONDS, by: 'visitor', clearedBySuccess: true },
    // Guesses at one account from many addresses; higher, so that ten wrong ones cannot lock out
    // another user.
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
  // Requests that include the password again: one count for all endpoints that require it.
  'account.change_password': [PASSWORD_AGAIN],
  'account.delete_account': [PASSWORD_AGAIN],
  'account.save_recovery': [PASSWORD_AGAIN],
  // A separate count: it needs no password, and a success must not clear the count of wrong ones.
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
  // A client registers at every start; a test notification is for a user who is watching for it
  // (docs/interpretations.md#77).
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
  'operations.certificates': [OPERATOR_READ],
  // Authorities allow five failed verifications of a name per hour.
  'operations.renew_certificate': [
    { name: 'renew-certificate', points: 20, seconds: HOUR_SECONDS, by: 'user' },
  ],
  'operations.jobs': [OPERATOR_READ],
  'operations.reports': [OPERATOR_READ],
  'operations.storage': [OPERATOR_READ],
  'operations.versions': [OPERATOR_READ],
  'sign_up_codes.list': [OPERATOR_READ],
  'operations.deliver_now': [ADMIN_CHANGE],
  // The messages of a domain are dropped a few at a time.
  'operations.drop_mail': [{ name: 'drop-mail', points: 1_200, seconds: QUARTER_SECONDS, by: 'user' }],
  'sign_up_codes.create_invitation': [ADMIN_CHANGE],
  'sign_up_codes.remove_invitation': [ADMIN_CHANGE],
  'admin_access.token': [{ name: 'csrf', points: 120, seconds: QUARTER_SECONDS, by: 'user' }],
  'account.storage': [{ name: 'storage', points: 120, seconds: QUARTER_SECONDS, by: 'user' }],
  // The tokens cannot be guessed, but each one created is a row.
  'biometrics.turn_on': [{ name: 'biometrics', points: 30, seconds: HOUR_SECONDS, by: 'user' }],
  'biometrics.enter': [{ name: 'restore', points: 200, seconds: QUARTER_SECONDS, by: 'ip' }],
  'biometrics.turn_off': [{ name: 'restore', points: 200, seconds: QUARTER_SECONDS, by: 'ip' }],
  'auth.restore': [{ name: 'restore', points: 200, seconds: QUARTER_SECONDS, by: 'ip' }],
  // A released name is never assigned again, so one person must not use up many.
  'addresses.create': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'addresses.rotate': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.address': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.change': [{ name: 'address', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.register': [{ name: 'domain', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  'domains.new_key': [{ name: 'domain-key', points: 20, seconds: DAY_SECONDS, by: 'user' }],
  // An open wizard sends two requests a minute.
  'domains.health': [{ name: 'domain-check', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'domains.readiness': [{ name: 'domain-check', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'organization.create': [{ name: 'organization', points: 20, seconds: DAY_SECONDS, by: 'user' }],
  // Each attempt may name another secret: limited like sign-ups, with a separate count.
  'organization.join': [{ name: 'join', points: 30, seconds: HOUR_SECONDS, by: 'user' }],
  'organization.invite': [{ name: 'invite', points: 500, seconds: DAY_SECONDS, by: 'user' }],
  'organization.reset_password': [{ name: 'reset', points: 100, seconds: DAY_SECONDS, by: 'user' }],
  // Secrets in links cannot be guessed.
  'joining.invitation': [{ name: 'link', points: 120, seconds: QUARTER_SECONDS, by: 'ip' }],
  'joining.reset': [{ name: 'link', points: 120, seconds: QUARTER_SECONDS, by: 'ip' }],
  'joining.set_password': [{ name: 'set-password', points: 30, seconds: HOUR_SECONDS, by: 'ip' }],
  'calendar.emailrsvp': [{ name: 'emailrsvp', points: 60, seconds: QUARTER_SECONDS, by: 'ip' }],
  'calendar.tokens': [{ name: 'event-tokens', points: 120, seconds: HOUR_SECONDS, by: 'user' }],
  // Share codes cannot be guessed; the other endpoints reveal whether an address is taken, as
  // /user/keys does.
  'contacts.generate': [{ name: 'share-code', points: 120, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.share_state': [{ name: 'share-state', points: 1_200, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.add': [{ name: 'contact', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.add_unverified': [{ name: 'contact', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'contacts.change': [{ name: 'contact', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  'mail.keys': [{ name: 'keys', points: 60, seconds: MINUTE_SECONDS, by: 'user' }],
  // Counts requests, including rejected and repeated ones. features/outbound/sending counts sent
  // messages, by plan.
  'sending.send_private': [
    { name: 'send', points: plan => 3 * PLAN_LIMITS[plan].sendsPerHour, seconds: HOUR_SECONDS, by: 'user' },
    // An office behind one address sends less; a spammer with many accounts would send more.
    { name: 'send-ip', points: 20_000, seconds: HOUR_SECONDS, by: 'ip' },
  ],
  'sending.draft': [{ name: 'draft', points: 1_200, seconds: HOUR_SECONDS, by: 'user' }],
  'sending.empty': [{ name: 'empty', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  // A full mailbox of small messages is some thousand batches; the storage quota limits its files.
  'imports.seal': [{ name: 'seal-import', points: 7_200, seconds: HOUR_SECONDS, by: 'user' }],
  'imports.container': [{ name: 'import-container', points: 72_000, seconds: HOUR_SECONDS, by: 'user' }],
  // Each is gigabytes on disk until it has been read.
  'server_imports.start_pst': [{ name: 'pst-import', points: 20, seconds: DAY_SECONDS, by: 'user' }],
  // Each signs in to another server: this must not serve to try passwords or scan for listening
  // ports.
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
  // Segments are merged before they are stored; the first index of a full mailbox takes a few
  // dozen.
  'search.add_segment': [{ name: 'search-segment', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
  // Each is a request to Stripe.
  'billing.upgrade': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  'billing.portal': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  'billing.cancel': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  'billing.resume': [{ name: 'checkout', points: 60, seconds: HOUR_SECONDS, by: 'user' }],
  // Forged requests are cheap to reject; valid ones come from Stripe and are never too many.
  'billing.webhook': [
    { name: 'stripe-webhook', points: 300, seconds: QUARTER_SECONDS, by: 'ip', clearedBySuccess: true },
  ],
  'sending.upload': [{ name: 'upload', points: 600, seconds: HOUR_SECONDS, by: 'user' }],
};
