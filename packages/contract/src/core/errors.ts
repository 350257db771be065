/**
 * Every error a call can answer with: code -> HTTP status and text. Texts of docs/spec-map.md 8 are kept to the letter. Services
 * throw AppError with a code; only the server's http/errors.ts turns it into a reply.
 */

export const ERRORS = {
  malformed: { status: 400, message: 'The request is malformed' },
  not_logged_in: { status: 401, message: 'Login required' },
  login_refused: { status: 401, message: 'Wrong address or password' },
  restore_refused: { status: 401, message: 'Session expired. Please login again.' },
  code_refused: { status: 401, message: 'Code is wrong or old' },
  passkey_refused: { status: 401, message: 'This key was not accepted' },
  mfa_expired: { status: 401, message: 'Session expired. Please login again.' },
  account_suspended: {
    status: 403,
    message: 'This account is suspended. Please ask those who run this service.',
  },
  forbidden: { status: 403, message: 'You are not allowed to do this' },
  password_wrong: { status: 403, message: 'The password is wrong' },
  // In a session that goes on, 401 would say that it is over.
  code_wrong: { status: 403, message: 'Code is wrong or old' },
  passkey_wrong: { status: 403, message: 'This key was not accepted' },
  second_factor_needed: { status: 403, message: 'Your second factor is needed' },
  recovery_refused: { status: 403, message: 'The recovery kit does not open this account' },
  origin_refused: { status: 403, message: 'The request came from another site' },
  csrf_refused: { status: 403, message: 'CSRF token validation failed. Please try again.' },
  plus_required: { status: 403, message: 'Plus plan required for security analytics' },
  sender_refused: { status: 403, message: 'This is not one of your addresses' },
  not_found: { status: 404, message: 'Not found' },
  address_taken: { status: 409, message: 'This address is taken' },
  domain_taken: { status: 409, message: 'You have added this domain already' },
  already_in_progress: { status: 409, message: 'This operation is already in progress' },
  idempotency_mismatch: { status: 409, message: 'This key was used for another request' },
  recipient_has_keys: { status: 409, message: 'A recipient can now receive encrypted mail' },
  recipient_key_changed: { status: 409, message: "A recipient's key has changed" },
  sent_already: { status: 409, message: 'This message has been sent already' },
  keys_replaced: { status: 409, message: 'Your keys were replaced. Please reload the page.' },
  keys_needed: { status: 409, message: 'These keys are still needed' },
  version_conflict: { status: 409, message: 'This was changed on another device' },
  totp_on: { status: 409, message: 'An authenticator app is set up already' },
  passkey_known: { status: 409, message: 'This key is registered already' },
  tag_taken: { status: 409, message: 'A tag of this name exists' },
  tag_refused: { status: 422, message: 'A folder has this name' },
  snooze_refused: { status: 422, message: 'This mail cannot be snoozed until then' },
  rsvp_refused: { status: 422, message: 'RSVP failed' },
  remote_refused: { status: 422, message: 'This address cannot be fetched' },
  imap_login_refused: { status: 422, message: 'The other provider refused this user name or password' },
  imap_unreachable: { status: 422, message: 'The mail server of the other provider cannot be reached' },
  imap_unknown_host: { status: 422, message: 'There is no mail server of this name' },
  imap_address_refused: { status: 422, message: 'This mail server may not be connected to from here' },
  imap_port_refused: {
    status: 422,
    message: 'This port may not be connected to from here; mail servers use 993, or 143 with STARTTLS',
  },
  imap_certificate: {
    status: 422,
    message: 'The certificate of the mail server is not valid, so the password was not sent',
  },
  imap_no_tls: {
    status: 422,
    message: 'The mail server offers no encrypted connection, so the password was not sent',
  },
  imap_not_understood: { status: 422, message: 'The answers of the mail server cannot be understood' },
  imap_too_large: { status: 422, message: 'The mailbox has more than can be brought in' },
  invite_refused: { status: 404, message: 'This invitation was used already, has expired, or was withdrawn' },
  reset_refused: { status: 404, message: 'This link was used already, has expired, or was withdrawn' },
  push_off: { status: 422, message: 'This server sends no notifications to such a device' },
  push_refused: { status: 422, message: 'This device cannot be sent notifications' },
  organization_member: { status: 409, message: 'You belong to an organisation already' },
  domain_connected: { status: 409, message: 'This domain is connected already' },
  domain_in_use: {
    status: 422,
    message: 'This domain is connected to your organisation. Please disconnect it there first.',
  },
  last_owner: {
    status: 422,
    message: 'An organisation needs an owner. Please make somebody else an owner first.',
  },
  member_limit_reached: { status: 422, message: 'Your organisation has reached its member limit' },
  share_code_refused: { status: 404, message: 'This code is invalid or has expired' },
  share_code_used: { status: 409, message: 'This code was already used. Ask for a new one.' },
  own_contact: { status: 422, message: 'Your own entry stays' },
  last_super: { status: 422, message: 'The last super admin stays' },
  admin_stays: {
    status: 422,
    message:
      'Admins cannot delete their account. Another admin must revoke the role first, which is written down.',
  },
  own_account: { status: 422, message: 'You cannot suspend your own account' },
  own_hold: { status: 422, message: 'You cannot release your own mail: ask another admin' },
  admin_kept: { status: 422, message: 'Admins cannot be suspended: revoke the role first' },
  not_an_admin: { status: 422, message: 'This user is no admin' },
  subject_suspended: { status: 422, message: 'This user is suspended' },
  limit_reached: { status: 422, message: 'There are too many of these already' },
  too_large: { status: 413, message: 'The request is too large' },
  media_refused: { status: 415, message: 'Send JSON, or a form where a file is uploaded' },
  second_factor_off: { status: 422, message: 'No second factor is on' },
  setup_expired: { status: 422, message: 'The setup took too long. Please start again.' },
  passkeys_refused: { status: 422, message: 'Security keys need a web address with a host name' },
  signature_refused: { status: 400, message: 'The signature does not hold' },
  captcha_refused: { status: 422, message: 'The check that you are not a robot failed. Please try again.' },
  invitation_needed: { status: 422, message: 'An invitation code is needed here' },
  invitation_refused: { status: 422, message: 'This invitation code was used up, has expired, or never was' },
  code_taken: { status: 409, message: 'This code exists already' },
  domain_refused: { status: 422, message: 'Addresses at this domain are not given here' },
  domain_invalid: { status: 422, message: 'This domain cannot be added' },
  domain_unproved: { status: 422, message: 'It is not proved yet that this domain is yours' },
  domain_limit_reached: { status: 422, message: 'You have reached your domain limit' },
  domain_primary: {
    status: 422,
    message: 'Cannot delete primary domain. Please set another domain as primary first.',
  },
  domain_main: {
    status: 422,
    message: 'Your main address is at this domain. Please choose another one for it first.',
  },
  address_limit_reached: { status: 422, message: 'You have reached your address limit' },
  address_kept: { status: 422, message: 'This address cannot be given up or switched off' },
  username_refused: { status: 422, message: 'This name cannot be used for an address' },
  // The screen has another text for who has chosen no plan, found by "select a plan" (docs/spec-map.md 8.06, 8.19, 8.23).
  billing_account_missing: { status: 422, message: 'Select a plan first: there is nothing at Stripe yet' },
  billing_off: { status: 422, message: 'Billing is off on this server' },
  upgrade_refused: { status: 422, message: 'Unable to determine upgrade path' },
  payment_refused: {
    status: 422,
    message: 'The payment was not accepted. Please check your card at Stripe.',
  },
  subscription_missing: { status: 422, message: 'There is no subscription' },
  keys_refused: { status: 422, message: 'The keys are not valid' },
  password_refused: { status: 422, message: 'The password was not derived as required' },
  recipients_refused: { status: 422, message: 'The list of recipients is not valid' },
  message_refused: { status: 422, message: 'The message is not valid' },
  spam_refused: {
    status: 422,
    message:
      'Your message was refused because it looks like spam. It stays a draft: change it, or ask those who run this service.',
  },
  key_needed: { status: 422, message: 'A recipient outside needs the message key' },
  draft_refused: { status: 422, message: 'This mail is not a draft' },
  rate_limited: { status: 429, message: 'Rate limited. Please try again later.' },
  quota_exceeded: { status: 507, message: 'Your storage is full' },
  storage_full: { status: 507, message: 'The service has no space left. Please try again later.' },
  checkout_failed: { status: 503, message: 'Failed to create checkout session' },
  portal_failed: { status: 503, message: 'Failed to open billing portal' },
  cancel_failed: { status: 503, message: 'Failed to cancel subscription' },
  resume_failed: { status: 503, message: 'Failed to resume subscription' },
  failed: { status: 500, message: 'Something failed' },
  unavailable: { status: 503, message: 'A part of the service is not reachable. Please try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;
/** One field's problem in a refused request: where (dotted path) and why. */
export type FieldProblem = { path: string; message: string };

/** An error with a documented code. Never carries keys, plaintext, addresses or subjects. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly problems: readonly FieldProblem[];
  /** Seconds after which a rate limited call may be tried again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      cause?: unknown;
      problems?: readonly FieldProblem[];
      retryAfterSeconds?: number;
      message?: string;
    } = {},
  ) {
    super(
      options.message ?? ERRORS[code].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.problems = options.problems ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Whether a value is one of the documented codes. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && value in ERRORS;
