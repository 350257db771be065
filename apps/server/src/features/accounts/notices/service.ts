/**
 * Security notices of the service, stored in the account's mailbox as alert messages
 * (docs/spec-map.md 4). They contain no secret and are stored unencrypted. They are flagged as sent
 * by the service, a flag that no message received by SMTP can have. The text is English; clients
 * read the kind and its facts from the header and show them in the user's language.
 */
import { createHash } from 'node:crypto';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';
import { networkText } from '../../../adapters/network.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { storeMails } from '../../mailbox/messages/index.ts';
import { addressesOf } from '../users/index.ts';
import { formatNotice, type NoticeFacts, type NoticeKind } from './notice-mail.ts';

export type Notice = PlacedNotice | { readonly kind: OperatorKind; readonly facts?: NoticeFacts };

/** Notice about an action from a user's browser. */
export type PlacedNotice = {
  readonly kind: Exclude<NoticeKind, OperatorKind>;
  readonly device: { readonly browser: string | null; readonly system: string | null };
  /** IP address of the request that caused the notice. */
  readonly ip: string;
  readonly facts?: NoticeFacts;
};

/**
 * Notices about actions of the service itself, its operator or an organization. They don't reveal
 * to the owner where the action was performed.
 */
type OperatorKind =
  | 'account_suspended'
  | 'account_unsuspended'
  | 'admin_granted'
  | 'admin_revoked'
  | 'mail_held'
  | 'mail_of_account_held'
  | 'member_reset_begun'
  | 'organization_left'
  | 'owners_changed'
  | 'plan_set'
  | 'reset_begun'
  | 'role_admin'
  | 'role_member'
  | 'role_owner'
  | 'second_factor_reset'
  | 'spam_filter_on'
  | 'welcome';

/** Stores a notice in a user's mailbox, within the caller's transaction. */
export async function storeNotice(deps: Deps, trx: Trx, userId: string, notice: Notice): Promise<void> {
  const [to] = await addressesOf(trx, userId);
  if (to === undefined) return;
  const now = deps.clock.now();
  const from = `no-reply@${deps.config.domains[0] ?? deps.config.hostname}`;
  const messageId = createMessageId(deps.config.hostname);
  const { headers, body } = formatNotice({
    kind: notice.kind,
    facts: notice.facts ?? {},
    place: 'ip' in notice ? { device: notice.device, address: networkText(notice.ip) } : null,
    from,
    to,
    messageId,
    now,
  });
  await storeMails(trx, [
    {
      userId,
      flags: 0,
      receivedAt: now,
      headers,
      fromAddress: from,
      ownAddress: to,
      messageId,
      references: [],
      body,
      summary: null,
      binding: createHash('sha256').update(body).digest(),
      ciphertext: null,
      encryptedKey: null,
      dhPublic: null,
      salt: null,
      keyUsed: null,
      isAlert: true,
    },
  ]);
}
