// How far a message can be trusted (docs/interpretations.md#82): from the keys it was sealed with and from the verdicts of our
// own server on mail that came from outside. A From address alone proves nothing.
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

/** A key that the reader's own sealed address book keeps for somebody; the server's contacts are none (docs/adr/0020). */
export type PinnedKey = {
  readonly dhPublicB64: string;
  readonly isVerified: boolean;
  /** Keys that were pinned before and given up for a newer one. */
  readonly formerB64?: readonly string[];
};

export type SenderProof = {
  /** X25519 public key (base64) that the directory names for the From address; null: none, or not asked. */
  readonly senderKeyB64: string | null;
  /** One's own keys in use, the X25519 public key of them (base64); null until they are known. */
  readonly ownKeys: { readonly keyId: string; readonly dhPublicB64: string } | null;
  /** Whether the From address is one's own. */
  readonly isFromSelf: boolean;
  /** The key pinned for the From address; null when none is. */
  readonly pinned?: PinnedKey | null;
  /** Whether the reader marked the safety number of the From address as not matching. */
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
 * What the sender's key says of a sealed mail. A wrap for oneself proves nothing about its sender: the server has one of every
 * mail that was opened once, those that it made among them, and names beside it whatever `dh_public` it likes.
 */
function judgeKey(mail: Email, { path }: OpenedMail, proof: SenderProof): SecurityView['kind'] {
  const { pinned = null, senderKeyB64, ownKeys, isFromSelf } = proof;
  if (!isFromSelf && proof.isMismatched === true) return 'mismatch';
  if (path !== 'hybrid' || mail.dh_public === null) return 'unproven';
  if (isFromSelf) {
    // No directory is asked. Keys that were put out of use may be anybody's by now, and either side's key makes the wrap: what
    // one sent oneself before a change of keys looks like what a thief of the old ones makes.
    const isBetweenInUse = mail.dh_public === ownKeys?.dhPublicB64 && mail.key_used === ownKeys.keyId;
    return isBetweenInUse ? 'from_self' : 'unproven';
  }
  if (pinned !== null && pinned.dhPublicB64 === senderKeyB64) {
    if (mail.dh_public === senderKeyB64) return pinned.isVerified ? 'verified' : 'sealed';
    // It was theirs when it was sealed; a mark was for the newer key, or went with it.
    return pinned.formerB64?.includes(mail.dh_public) ? 'sealed' : 'unproven';
  }
  if (senderKeyB64 !== mail.dh_public) return 'unproven';
  return pinned === null ? 'sealed' : 'key_changed';
}

const copyWarning = term(
  'This is a copy. The same sealed message is in your mailbox more than once; its sender wrote it once.',
);

const ownKinds: ReadonlySet<SecurityView['kind']> = new Set(['own', 'own_plain']);
const provenKinds: ReadonlySet<SecurityView['kind']> = new Set(['verified', 'sealed', 'from_self', 'notice']);

/** The one strip of a message. */
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
