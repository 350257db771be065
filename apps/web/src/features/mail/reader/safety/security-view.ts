// Determines how far a message can be trusted (docs/interpretations.md#82): from the keys it was
// sealed with, and from our own server's verdicts on mail from outside. A From address alone proves
// nothing.
import type { Email } from '@keyfold/contract';
import type { OpenedMail } from '../../../../crypto/mail/mail-opener.ts';
import { t, term } from '../../../../lib/language.ts';
import {
  isDoubtfulMail,
  isFromElsewhere,
  readVerdicts,
  verdictNames,
} from '../../../../session/trust/verdicts.ts';
import type { DetailView, SecurityView } from '../../state/view-model.ts';

/**
 * A key pinned in the user's own sealed address book. The contacts that the server lists do not
 * count (docs/adr/0020).
 */
export type PinnedKey = {
  readonly dhPublicB64: string;
  readonly isVerified: boolean;
  /** Keys that were pinned earlier and replaced by a newer one. */
  readonly formerB64?: readonly string[];
};

export type SenderProof = {
  /**
   * X25519 public key (base64) that the directory lists for the From address; null when there is
   * none or it was not requested.
   */
  readonly senderKeyB64: string | null;
  /** The user's current keys, with their X25519 public key (base64); null until they are known. */
  readonly ownKeys: { readonly keyId: string; readonly dhPublicB64: string } | null;
  /** Whether the From address belongs to the user. */
  readonly isFromSelf: boolean;
  /** Key pinned for the From address, or null. */
  readonly pinned?: PinnedKey | null;
  /** Whether the user reported that the safety number of the From address does not match. */
  readonly isMismatched?: boolean;
  readonly isContact?: boolean;
  readonly warnings?: readonly string[];
};

const sealedDetails = (mail: Email): DetailView[] => [
  { label: t('Encryption'), value: 'ML-KEM-1024 + X25519, HKDF-SHA256, AES-256' },
  { label: t('Key used'), value: mail.key_used ?? t('none') },
];

const verdictDetails = (verdicts: Readonly<Record<string, string>>): DetailView[] =>
  verdictNames.map(name => ({ label: name.toUpperCase(), value: verdicts[name] ?? t('none') }));

const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

type Judged = Pick<SecurityView, 'kind' | 'details'> &
  Partial<Pick<SecurityView, 'confirmedDomain' | 'cause'>>;

function judge(mail: Email, content: OpenedMail, proof: SenderProof): Judged {
  if (content.failed !== null)
    return { kind: 'failed', cause: content.cause ?? 'damaged', details: sealedDetails(mail) };
  if (content.kind === 'alert') return { kind: 'notice', details: [] };
  if (mail.public && (!mail.sent || isFromElsewhere(mail))) {
    const verdicts = readVerdicts(mail.headers);
    const details = [...verdictDetails(verdicts), ...sealedDetails(mail)];
    const confirmed = verdicts.dmarc === 'pass' ? hostOf(content.parsed.from?.address ?? mail.from) : '';
    return {
      kind: isDoubtfulMail(mail) ? 'unproven' : 'stored',
      details,
      confirmedDomain: confirmed === '' ? null : confirmed,
    };
  }
  const details = sealedDetails(mail);
  if (mail.sent || mail.draft) {
    const isOwn = content.kind === 'placeholder' || (content.path === 'self' && proof.isFromSelf);
    return { kind: !isOwn ? 'unproven' : mail.public ? 'own_plain' : 'own', details };
  }
  return { kind: judgeKey(mail, content, proof), details };
}

/**
 * Returns what the sender's key proves about a sealed message. A wrap for oneself proves nothing
 * about the sender: the server holds such a wrap for every message that was opened once, including
 * messages that it forged, and can put any `dh_public` beside it.
 */
function judgeKey(mail: Email, { path }: OpenedMail, proof: SenderProof): SecurityView['kind'] {
  const { pinned = null, senderKeyB64, ownKeys, isFromSelf } = proof;
  if (!isFromSelf && proof.isMismatched === true) return 'mismatch';
  if (path !== 'hybrid' || mail.dh_public === null) return 'unproven';
  if (isFromSelf) {
    // Does not use the directory. Retired keys may have been stolen, and either party's key can
    // create the wrap: a message that the user sent to themselves before a key change is
    // indistinguishable from one made with stolen old keys.
    const isBetweenInUse = mail.dh_public === ownKeys?.dhPublicB64 && mail.key_used === ownKeys.keyId;
    return isBetweenInUse ? 'from_self' : 'unproven';
  }
  if (pinned !== null && pinned.dhPublicB64 === senderKeyB64) {
    if (mail.dh_public === senderKeyB64) return pinned.isVerified ? 'verified' : 'sealed';
    // The key was the sender's when the message was sealed. A verification was for the newer key,
    // or was removed with the old one.
    return pinned.formerB64?.includes(mail.dh_public) ? 'sealed' : 'unproven';
  }
  if (senderKeyB64 !== mail.dh_public) return 'unproven';
  return pinned === null ? 'sealed' : 'key_changed';
}

const copyWarning = term(
  'This is a duplicate. The sender wrote this encrypted message once, but your mailbox has it more than once.',
);

const ownKinds: ReadonlySet<SecurityView['kind']> = new Set(['own', 'own_plain']);
const provenKinds: ReadonlySet<SecurityView['kind']> = new Set(['verified', 'sealed', 'from_self', 'notice']);

/** Returns the content of a message's security strip. */
export function toSecurityView(mail: Email, content: OpenedMail, proof: SenderProof): SecurityView {
  const { from } = content.parsed;
  const { kind, details, cause, confirmedDomain = null } = judge(mail, content, proof);
  const isSenderProven =
    provenKinds.has(kind) || (ownKinds.has(kind) && mail.sent) || confirmedDomain !== null;
  const warnings =
    ownKinds.has(kind) || kind === 'from_self' || kind === 'notice' ? [] : (proof.warnings ?? []);
  return {
    kind,
    ...(cause === undefined ? {} : { cause }),
    person: from?.name || from?.address || mail.from || t('the sender'),
    details,
    confirmedDomain,
    sendAt: ownKinds.has(kind) && mail.scheduled ? mail.send_at : null,
    isSenderProven,
    inContacts: isSenderProven && (proof.isContact ?? false),
    warnings: content.isCopy ? [...warnings, t(copyWarning)] : warnings,
  };
}
