/**
 * Notices of the service about an account's security, put into its mailbox as alert mails (docs/spec-map.md 4): stored as they
 * are, since they hold no secret, and marked as ours, which nothing that comes by SMTP can be. English text; clients know the
 * kind and its facts by the header and say them in their own language.
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

/** Of what came from a browser of somebody's. */
export type PlacedNotice = {
  readonly kind: Exclude<NoticeKind, OperatorKind>;
  readonly device: { readonly browser: string | null; readonly system: string | null };
  /** Of the request that led to it. */
  readonly ip: string;
  readonly facts?: NoticeFacts;
};

/** Of what the service itself, those who run it, or an organisation did: where they did it is not the owner's to know. */
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

/** Puts a notice into a user's mailbox, in a transaction of the caller. */
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
