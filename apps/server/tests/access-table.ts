/**
 * Expected response of every call of the contract when a user names another user's objects. A call
 * that is not listed fails access.test.ts, so that every new call declares whose data it touches.
 *
 * 'public': needs no login. 'own': takes no id; it reads and changes only the data of the session's
 * user. Otherwise: a request that names Alice's objects, sent by Bob, and the response it must get.
 * 200 needs a reason in a comment beside it.
 */
import type { CallName } from '../src/http/rate-limits.ts';
import type { SendRequest } from './harness/sending.ts';

/** Objects of Alice, and encrypted requests of Bob into which their ids are inserted. */
export type World = {
  readonly mailId: string;
  readonly draftId: string;
  readonly heldId: string;
  readonly containerId: string;
  readonly segmentId: string;
  readonly signatureId: string;
  readonly sessionId: string;
  readonly passkeyId: string;
  readonly address: string;
  /** Claimed by Alice. */
  readonly domain: string;
  readonly message: SendRequest;
  readonly draft: Record<string, unknown>;
  readonly ownWrap: Record<string, unknown>;
  /** Invited to Alice's organization. */
  readonly memberId: string;
  readonly serverImportId: string;
  readonly pushDeviceId: string;
};

export type Foreign = {
  readonly input: (world: World) => Record<string, unknown>;
  readonly status: 200 | 403 | 404;
};

export type AccessRow = 'public' | 'own' | Foreign;

const notFound = (input: Foreign['input']): Foreign => ({ input, status: 404 });

const SIGNATURE = { name: 'Mine', html_content: '<p>x</p>', plain_text: 'x', is_default: false };

export const ACCESS: { readonly [N in CallName]: AccessRow } = {
  'account.change_name': 'own',
  'account.change_password': 'own',
  'account.sessions': 'own',
  'account.end_session': notFound(world => ({ id: world.sessionId })),
  'account.end_other_sessions': 'own',
  'account.logins': 'own',
  'account.storage': 'own',
  'account.save_recovery': 'own',
  'account.confirm_recovery': 'own',
  'account.remove_recovery': 'own',
  'account.delete_account': 'own',
  'addresses.list': 'own',
  'addresses.create': 'own',
  'addresses.change': notFound(world => ({ address: world.address, label: 'Mine' })),
  'addresses.remove': notFound(world => ({ address: world.address })),
  'addresses.rotate': notFound(world => ({ address: world.address })),
  'addresses.capabilities': 'own',
  // For these calls the caller's level decides; admin-access.test.ts tests each of them at each
  // level.
  'admin.stats': { input: () => ({}), status: 403 },
  'admin.users': { input: world => ({ search: world.address }), status: 403 },
  'admin.mail_hold': { input: world => ({ user_id: world.memberId }), status: 403 },
  'admin.audit': { input: () => ({}), status: 403 },
  'admin.grant_admin': { input: world => ({ user_email: world.address }), status: 403 },
  'admin.revoke_admin': { input: world => ({ user_email: world.address }), status: 403 },
  'admin.suspend_user': { input: world => ({ user_email: world.address, reason: 'Because' }), status: 403 },
  'admin.unsuspend_user': { input: world => ({ user_email: world.address }), status: 403 },
  'admin.release_mail': { input: world => ({ user_email: world.address }), status: 403 },
  'admin.set_plan': { input: world => ({ plan: 'pro', user_email: world.address }), status: 403 },
  'sign_up.domains': 'public',
  'sign_up.captcha': 'public',
  'sign_up.available': 'public',
  'sign_up.register': 'public',
  'sign_in.login': 'public',
  'auth.restore': 'public',
  'recovery.recover': 'public',
  'auth.check': 'own',
  'biometrics.turn_on': 'own',
  'biometrics.enter': 'public',
  'biometrics.turn_off': 'public',
  'auth.logout': 'public',
  'admin_access.admin_status': 'own',
  // A contact's address is a name within the caller's own contacts; a share code is valid for
  // anyone who has it.
  'contacts.list': 'own',
  'contacts.generate': 'own',
  'contacts.share_state': 'own',
  'contacts.add': 'own',
  'contacts.add_unverified': 'own',
  'contacts.change': 'own',
  'contacts.remove': 'own',
  'admin_access.token': 'own',
  'domains.list': 'own',
  'domains.register': 'own',
  'domains.remove': notFound(world => ({ domain: world.domain })),
  'domains.info': notFound(world => ({ domain: world.domain })),
  'domains.validation_record': notFound(world => ({ domain: world.domain })),
  'domains.readiness': notFound(world => ({ domain: world.domain })),
  'domains.health': notFound(world => ({ domain: world.domain })),
  'domains.address': notFound(world => ({ username: 'mine', domain: world.domain })),
  'domains.change': notFound(world => ({ address: world.address, domain: world.domain })),
  'domains.set_primary': notFound(world => ({ domain: world.domain })),
  'domains.change_main': notFound(world => ({ domain: world.domain })),
  'domains.catchall': notFound(world => ({ domain: world.domain, address: '' })),
  'domains.new_key': notFound(world => ({ domain: world.domain })),
  'events.stream': 'own',
  // The encrypted blob of another user's draft, which the batch claims as its own.
  'imports.seal': notFound(world => ({
    import_id: 'i1',
    messages: [
      {
        body: world.message.body,
        summary: world.message.summary,
        ...world.ownWrap,
        headers: 'From: a@outside.test\r\nMessage-ID: <1@outside.test>\r\n',
        received_at: '2020-01-01T00:00:00Z',
        flags: {},
        attachments: [world.containerId],
      },
    ],
  })),
  'imports.container': 'own',
  'imports.known': 'own',
  'calendar.emailrsvp': 'public',
  'calendar.tokens': {
    input: world => ({
      event_id: 'e@keyfold.test',
      sequence: 0,
      organizer: world.address,
      attendees: ['guest@outside.test'],
    }),
    status: 403,
  },
  'joining.invitation': 'public',
  'joining.reset': 'public',
  'joining.set_password': 'public',
  'key_log.growth': 'own',
  'key_log.history': notFound(world => ({ address: world.address })),
  // Each needs the cookie of an MFA-pending session, which belongs to the account whose password
  // was correct.
  'mfa.code': 'public',
  'mfa.challenge': 'public',
  'mfa.passkey': 'public',
  'mail.query': 'own',
  'mail.one': notFound(world => ({ id: world.mailId })),
  // Ids that belong to other users are omitted from the response; the test checks that it is empty.
  'mail.some': { input: world => ({ ids: [world.mailId], view: 'full' }), status: 200 },
  'mail.ids': 'own',
  'mail.check_new': 'own',
  'mail.unread_count': 'own',
  'mail.counts': 'own',
  'mail.read': notFound(world => ({ email_id: [world.mailId], value: true })),
  'mail.star': notFound(world => ({ email_id: [world.mailId], value: true })),
  'mail.archive': notFound(world => ({ email_id: [world.mailId], value: true })),
  'mail.remove': notFound(world => ({ email_id: [world.mailId] })),
  'mail.restore': notFound(world => ({ email_id: [world.mailId] })),
  'mail.mend_summary': notFound(world => ({
    email_id: world.mailId,
    summary: 'A'.repeat(80),
    was: `${'A'.repeat(43)}=`,
  })),
  'mail.rewrap': notFound(world => ({
    wraps: [
      {
        email_id: world.mailId,
        encrypted_key: 'A'.repeat(80),
        salt: `${'A'.repeat(43)}=`,
        key_used: `${'A'.repeat(27)}=`,
      },
    ],
  })),
  'mail.keys': 'own',
  // A token is a name within the caller's own devices. If it is already registered, it moves to the
  // caller who has it.
  'notifications.status': 'own',
  'notifications.register': 'own',
  'notifications.unregister': 'own',
  'notifications.remove_device': notFound(world => ({ id: world.pushDeviceId })),
  'notifications.preferences': 'own',
  'notifications.update_group_summary': 'own',
  'notifications.update_badge': 'own',
  'notifications.test': 'own',
  // These calls concern the service, not a user; operations.test.ts tests the permissions of each
  // level.
  'operations.queue': 'own',
  'operations.deliver_now': 'own',
  'operations.drop_mail': 'own',
  'operations.domains': 'own',
  'operations.certificates': 'own',
  'operations.renew_certificate': 'own',
  'operations.jobs': 'own',
  'operations.push': 'own',
  'operations.reports': 'own',
  'operations.storage': 'own',
  'operations.versions': 'own',
  'mail.clear_flagged': 'own',
  'mail.flag': notFound(world => ({ email_id: [world.mailId], value: true })),
  'mail.snooze': notFound(world => ({ email_id: [world.mailId], until: null })),
  'rules.list': 'own',
  'rules.save': 'own',
  // Bob is in no organization and so sees none; organization-matrix.test.ts tests levels within one
  // organization and between two.
  'organization.create': 'own',
  'organization.get': notFound(() => ({})),
  'organization.update': notFound(() => ({ name: 'Mine' })),
  'organization.remove': notFound(() => ({})),
  'organization.invite': notFound(() => ({ name: 'C', username: 'carol.c', domain: 'keyfold.test' })),
  'organization.join': notFound(() => ({ invite: 'A'.repeat(43) })),
  'organization.members': notFound(() => ({})),
  'organization.remove_member': notFound(world => ({ user_id: world.memberId })),
  'organization.set_role': notFound(world => ({ user_id: world.memberId, role: 'admin' })),
  'organization.reset_password': notFound(world => ({ user_id: world.memberId })),
  'organization.connect': notFound(world => ({ domain: world.domain })),
  'organization.disconnect': notFound(world => ({ domain: world.domain })),
  'organization.available': notFound(() => ({})),
  'organization.connected': notFound(() => ({})),
  'organization.log': notFound(() => ({})),
  'organization.permissions': 'own',
  'otp.generate': 'own',
  'otp.initial': 'own',
  'otp.disable': 'own',
  'key_rotation.rotate': 'own',
  'key_rotation.retired': 'own',
  'key_rotation.wraps': 'own',
  'key_rotation.destroy': 'own',
  // A record's kind and id are names within the caller's own records.
  'server_imports.start_pst': 'own',
  'server_imports.imap_folders': 'own',
  'server_imports.start_imap': 'own',
  'server_imports.status': notFound(world => ({ id: world.serverImportId })),
  'server_imports.cancel': notFound(world => ({ id: world.serverImportId })),
  'records.list': 'own',
  'records.save': 'own',
  'records.remove': 'own',
  'remote_content.image': 'own',
  'remote_content.unsubscribe': 'own',
  'search.segments': 'own',
  'search.add_segment': 'own',
  'search.segment': notFound(world => ({ id: world.segmentId })),
  'search.remove_segments': 'own',
  'second_factor.status': 'own',
  'second_factor.challenge': 'own',
  'second_factor.renew_codes': 'own',
  'second_factor.confirm_codes': 'own',
  'second_factor.begin_passkey': 'own',
  'second_factor.add_passkey': 'own',
  'second_factor.rename_passkey': notFound(world => ({ id: world.passkeyId, name: 'Mine' })),
  'second_factor.remove_passkey': notFound(world => ({ id: world.passkeyId })),
  'security.settings': 'own',
  'security.save_settings': 'own',
  'security.block': 'own',
  'security.stats': 'own',
  'sending.send_private': notFound(world => ({ ...world.message, draft_id: world.draftId })),
  'sending.unsend': notFound(world => ({ id: world.heldId })),
  'sending.draft': notFound(world => ({ ...world.draft, draft_id: world.draftId })),
  'sending.empty': 'own',
  'sending.upload': notFound(world => ({ draft_id: world.draftId })),
  'sending.attachment': notFound(world => ({ id: world.containerId })),
  'sending.remove_attachment': notFound(world => ({ id: world.containerId })),
  'signatures.list': 'own',
  'signatures.create': 'own',
  'signatures.change': notFound(world => ({ id: world.signatureId, ...SIGNATURE })),
  'signatures.remove': notFound(world => ({ id: world.signatureId })),
  // Codes belong to the service, not to a user; signup-codes.test.ts tests the permissions of each
  // level.
  'sign_up_codes.list': 'own',
  'sign_up_codes.create_invitation': 'own',
  'sign_up_codes.remove_invitation': 'own',
  'billing.status': 'own',
  'billing.upgrade': 'own',
  'billing.portal': 'own',
  'billing.cancel': 'own',
  'billing.resume': 'own',
  // Authenticated by Stripe's signature alone, without a session.
  'billing.webhook': 'public',
  // A tag's name is a name within the caller's own tags.
  'tags.save': 'own',
  'tags.rename': 'own',
  'tags.remove': 'own',
  'tags.tag_email': notFound(world => ({ email_id: [world.mailId], tags: [] })),
};
