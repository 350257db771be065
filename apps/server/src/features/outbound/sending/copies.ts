/**
 * Rows of one message: the sender's own copy and one per local recipient. Each row contains only
 * its reader's key wrap, and only the sender's row names the Bcc recipients
 * (docs/interpretations.md#20).
 */
import { toMask } from '../../../base/flags.ts';
import { type Container, type NewMail, sizeOf } from '../../mailbox/messages/index.ts';
import { buildBlock, type OutgoingMessage, threadOf } from './outgoing-message.ts';
import type { ListKind, Parties, RecipientList, Wrap } from './recipients.ts';

export type CopyInput = {
  readonly message: OutgoingMessage;
  readonly list: RecipientList;
  readonly usedAddress: string;
  readonly publicKey: Buffer;
  readonly messageId: string;
  readonly date: Date;
  /** Time at which the message is released; null for immediately. */
  readonly heldUntil: Date | null;
};

export type Copies = {
  readonly own: NewMail;
  readonly others: readonly NewMail[];
  /** Header block of the recipients' copies, without Bcc recipients. */
  readonly shownBlock: string;
  /** Bytes of the sender's copy that count against the quota. No other copy is larger. */
  readonly sizeBytes: number;
};

export function buildCopies(input: CopyInput, parties: Parties, containers: readonly Container[]): Copies {
  const { message, list, usedAddress, publicKey, messageId, date, heldUntil } = input;
  const { sender, inside, outside } = parties;
  const addresses = (kind: ListKind) =>
    list.listed.filter(one => one.kind === kind).map(({ address }) => address);
  const head = {
    from: { name: sender.name, address: usedAddress },
    to: addresses('to'),
    cc: addresses('cc'),
    date,
    messageId,
  };
  const hasContainers = containers.length > 0;
  const common = {
    receivedAt: date,
    fromAddress: usedAddress,
    messageId,
    references: threadOf(message),
    body: message.body,
    summary: message.summary,
    binding: message.binding,
    attachments: containers,
  };
  const wrapped = (wrap: Wrap) => ({
    ciphertext: wrap.ciphertext,
    encryptedKey: wrap.encryptedKey,
    // A wrap for oneself is recognized by the absence of both (docs/wire-format.md#sealing).
    dhPublic: wrap.ciphertext === null ? null : publicKey,
    salt: wrap.salt,
    keyUsed: wrap.keyUsed,
  });
  const shownBlock = buildBlock(message, { ...head, bcc: [] });
  const own: NewMail = {
    ...common,
    ...wrapped(list.own),
    userId: sender.userId,
    ownAddress: usedAddress,
    flags: toMask({
      sent: true,
      read: true,
      public: outside.length > 0,
      attachment: hasContainers,
      scheduled: heldUntil !== null,
    }),
    ...(heldUntil === null ? {} : { sendAt: heldUntil }),
    headers: buildBlock(message, { ...head, bcc: addresses('bcc') }),
  };
  return {
    own,
    others: inside.map(({ entry, wrap, owner }) => ({
      ...common,
      ...wrapped(wrap),
      userId: owner.userId,
      ownAddress: entry.address,
      flags: toMask({ attachment: hasContainers }),
      headers: shownBlock,
    })),
    shownBlock,
    sizeBytes: sizeOf(own),
  };
}
