/**
 * Every error a call can return: code -> HTTP status and text. Texts from docs/spec-map.md 8 are
 * verbatim. Services throw AppError with a code; only the server's http/errors.ts turns it into a
 * reply.
 */

export const ERRORS = {
  malformed: { status: 400, message: 'Invalid request' },
  not_logged_in: { status: 401, message: 'Login required' },
  login_refused: { status: 401, message: 'Incorrect address or password' },
  restore_refused: { status: 401, message: 'Session expired. Please login again.' },
  code_refused: { status: 401, message: 'Incorrect or expired code' },
  passkey_refused: { status: 401, message: 'This passkey or security key wasn’t accepted' },
  mfa_expired: { status: 401, message: 'Session expired. Please login again.' },
  account_suspended: {
    status: 403,
    message: 'This account is suspended. Contact the administrator of this service.',
  },
  forbidden: { status: 403, message: 'You don’t have permission to do this' },
  password_wrong: { status: 403, message: 'Incorrect password' },
  // A 401 would end the session, which stays valid here.
  code_wrong: { status: 403, message: 'Incorrect or expired code' },
  passkey_wrong: { status: 403, message: 'This passkey or security key wasn’t accepted' },
  second_factor_needed: { status: 403, message: 'Two-factor authentication required' },
  recovery_refused: { status: 403, message: 'This recovery kit doesn’t open this account' },
  origin_refused: { status: 403, message: 'The request was blocked because it came from another site' },
  csrf_refused: { status: 403, message: 'CSRF token validation failed. Please try again.' },
  plus_required: { status: 403, message: 'Plus plan required for security analytics' },
  sender_refused: { status: 403, message: 'This isn’t one of your addresses' },
  not_found: { status: 404, message: 'Not found' },
  address_taken: { status: 409, message: 'This address is taken' },
  domain_taken: { status: 409, message: 'You’ve already added this domain' },
  already_in_progress: { status: 409, message: 'This operation is already in progress' },
  idempotency_mismatch: { status: 409, message: 'This idempotency key was used for a different request' },
  recipient_has_keys: { status: 409, message: 'A recipient can now receive encrypted mail' },
  recipient_key_changed: { status: 409, message: 'A recipient’s key has changed' },
  sent_already: { status: 409, message: 'This message has already been sent' },
  keys_replaced: { status: 409, message: 'Your keys were replaced. Reload the page.' },
  keys_needed: { status: 409, message: 'Some of your mail still needs these keys' },
  version_conflict: { status: 409, message: 'This was changed on another device' },
  totp_on: { status: 409, message: 'An authenticator app is already set up' },
  passkey_known: { status: 409, message: 'This key is already registered' },
  tag_taken: { status: 409, message: 'A tag with this name already exists' },
  tag_refused: { status: 422, message: 'This name is used by a folder. Choose another one.' },
  snooze_refused: { status: 422, message: 'This message can’t be snoozed until that time' },
  rsvp_refused: { status: 422, message: 'RSVP failed' },
  remote_refused: { status: 422, message: 'Couldn’t fetch content from this address' },
  imap_login_refused: { status: 422, message: 'The provider rejected this username or password' },
  imap_unreachable: { status: 422, message: 'Couldn’t reach the provider’s mail server' },
  imap_unknown_host: { status: 422, message: 'There is no mail server with this name' },
  imap_address_refused: { status: 422, message: 'Connections to this mail server aren’t allowed' },
  imap_port_refused: {
    status: 422,
    message: 'Connections to this port aren’t allowed. Mail servers use 993, or 143 with STARTTLS.',
  },
  imap_certificate: {
    status: 422,
    message: 'The mail server’s certificate isn’t valid, so the password wasn’t sent',
  },
  imap_no_tls: {
    status: 422,
    message: 'The mail server doesn’t offer an encrypted connection, so the password wasn’t sent',
  },
  imap_not_understood: { status: 422, message: 'The mail server sent responses that couldn’t be understood' },
  imap_too_large: { status: 422, message: 'The mailbox is too large to import' },
  invite_refused: { status: 404, message: 'This invitation was already used, has expired or was withdrawn' },
  reset_refused: { status: 404, message: 'This link was already used, has expired or was withdrawn' },
  push_off: { status: 422, message: 'This server doesn’t send notifications to this kind of device' },
  push_refused: { status: 422, message: 'This device can’t receive notifications' },
  organization_member: { status: 409, message: 'You already belong to an organization' },
  domain_connected: { status: 409, message: 'This domain is already connected' },
  domain_in_use: {
    status: 422,
    message: 'This domain is connected to your organization. Disconnect it there first.',
  },
  last_owner: {
    status: 422,
    message: 'An organization needs an owner. Make someone else an owner first.',
  },
  member_limit_reached: { status: 422, message: 'Your organization has reached its member limit' },
  share_code_refused: { status: 404, message: 'This code is invalid or has expired' },
  share_code_used: { status: 409, message: 'This code was already used. Ask for a new one.' },
  own_contact: { status: 422, message: 'You can’t delete the contact with your own address' },
  last_super: { status: 422, message: 'You can’t change the last super admin' },
  admin_stays: {
    status: 422,
    message:
      'Admins can’t delete their account. Another admin must revoke the role first, and this is logged.',
  },
  own_account: { status: 422, message: 'You can’t suspend your own account' },
  own_hold: { status: 422, message: 'You can’t release your own mail. Ask another admin.' },
  admin_kept: { status: 422, message: 'Admins can’t be suspended. Revoke the admin role first.' },
  not_an_admin: { status: 422, message: 'This user isn’t an admin' },
  subject_suspended: { status: 422, message: 'This user is suspended' },
  limit_reached: {
    status: 422,
    message: 'You’ve reached the limit. Delete something you no longer need, or try again later.',
  },
  too_large: { status: 413, message: 'The request is too large' },
  media_refused: { status: 415, message: 'Send JSON, or multipart form data for a file upload' },
  second_factor_off: { status: 422, message: 'Two-factor authentication is off' },
  setup_expired: { status: 422, message: 'The setup took too long. Start again.' },
  passkeys_refused: {
    status: 422,
    message: 'Passkeys and security keys don’t work at an IP address. Open Keyfold at its host name.',
  },
  signature_refused: { status: 400, message: 'The signature is invalid' },
  captcha_refused: { status: 422, message: 'Couldn’t confirm that you’re not a robot. Try again.' },
  invitation_needed: { status: 422, message: 'An invitation code is required' },
  invitation_refused: { status: 422, message: 'This invitation code is invalid, expired or already used' },
  code_taken: { status: 409, message: 'This code already exists' },
  domain_refused: { status: 422, message: 'Addresses at this domain aren’t available' },
  domain_invalid: { status: 422, message: 'This domain can’t be added' },
  domain_unproved: { status: 422, message: 'This domain isn’t verified yet' },
  domain_limit_reached: { status: 422, message: 'You have reached your domain limit' },
  domain_primary: {
    status: 422,
    message: 'Cannot delete primary domain. Please set another domain as primary first.',
  },
  domain_main: {
    status: 422,
    message: 'Your main address is at this domain. Choose another main address first.',
  },
  address_limit_reached: { status: 422, message: 'You have reached your address limit' },
  address_kept: { status: 422, message: 'This address can’t be deleted or turned off' },
  username_refused: { status: 422, message: 'This name can’t be used for an address' },
  // The screen replaces this text for users who have chosen no plan; it matches on "select a plan"
  // (docs/spec-map.md 8.06, 8.19, 8.23).
  billing_account_missing: {
    status: 422,
    message: 'Select a plan first. You don’t have a Stripe account for billing yet.',
  },
  billing_off: { status: 422, message: 'Billing is disabled on this server' },
  upgrade_refused: { status: 422, message: 'Unable to determine upgrade path' },
  payment_refused: {
    status: 422,
    message: 'The payment was declined. Check your card at Stripe.',
  },
  subscription_missing: { status: 422, message: 'You don’t have a subscription' },
  keys_refused: { status: 422, message: 'The keys are invalid' },
  password_refused: { status: 422, message: 'The password wasn’t derived as required' },
  recipients_refused: { status: 422, message: 'The recipient list is invalid' },
  message_refused: { status: 422, message: 'The message is invalid' },
  spam_refused: {
    status: 422,
    message:
      'Your message was rejected because it looks like spam. It’s kept as a draft. Edit it, or contact the administrator of this service.',
  },
  key_needed: { status: 422, message: 'An external recipient requires the message key' },
  draft_refused: { status: 422, message: 'This message isn’t a draft' },
  rate_limited: { status: 429, message: 'Rate limited. Please try again later.' },
  quota_exceeded: { status: 507, message: 'Your storage is full' },
  storage_full: { status: 507, message: 'The service is out of storage. Try again later.' },
  checkout_failed: { status: 503, message: 'Failed to create checkout session' },
  portal_failed: { status: 503, message: 'Failed to open billing portal' },
  cancel_failed: { status: 503, message: 'Failed to cancel subscription' },
  resume_failed: { status: 503, message: 'Failed to resume subscription' },
  failed: { status: 500, message: 'Something failed' },
  unavailable: { status: 503, message: 'Part of the service is unavailable. Try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;
/** Problem with one field of a rejected request: where (dotted path) and why. */
export type FieldProblem = { path: string; message: string };

/** Error with a documented code. Never carries keys, plaintext, addresses or subjects. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly problems: readonly FieldProblem[];
  /** Seconds after which a rate-limited call may be retried. */
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

/** Returns whether a value is one of the documented codes. */
export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && value in ERRORS;
