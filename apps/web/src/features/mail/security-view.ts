// How far a message can be trusted (readings 82): from the keys it was sealed with and from the verdicts of our own
// server on mail that came from outside. A From address alone proves nothing.
import type { Email } from '@keyfold/contract';
import { readAuthenticationResults } from '@keyfold/mail/mime/stored-headers';
import type { OpenedMail } from '../../crypto/mail-opener.ts';
import type { DetailView, SecurityView } from './view-model.ts';

export type SenderProof = {
  /** X25519 public key (base64) that the directory names for the From address; null: none, or not asked. */
  readonly senderKeyB64: string | null;
  readonly ownKeyB64: string;
  /** Whether the From address is one's own. */
  readonly isFromSelf: boolean;
};

/** Checks that ended without a pass where the sender's domain may well ask for one; the first two can be provoked. */
const doubtfulVerdicts = new Set(['permerror', 'temperror', 'fail']);

const verdictNames = ['spf', 'dkim', 'dmarc', 'arc'] as const;

/** The verdicts of an Authentication-Results field, such as { dmarc: 'pass' }; the first of each method counts. */
export function readVerdicts(headers: string): Readonly<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const field of readAuthenticationResults(headers)) {
    for (const name of verdictNames) {
      const found = new RegExp(`(?:^|[;\\s])${name}=([a-z]+)`, 'i').exec(field)?.[1];
      if (found !== undefined) verdicts[name] ??= found.toLowerCase();
    }
  }
  return verdicts;
}

const sealedDetails = (mail: Email): DetailView[] => [
  { label: 'Encryption', value: 'ML-KEM-1024 with X25519, AES-256' },
  { label: 'Key used', value: mail.key_used ?? 'none' },
];

const verdictDetails = (verdicts: Readonly<Record<string, string>>): DetailView[] =>
  verdictNames.map(name => ({ label: name.toUpperCase(), value: verdicts[name] ?? 'none' }));

/** The one strip of a message. */
export function toSecurityView(mail: Email, content: OpenedMail, proof: SenderProof): SecurityView {
  const { from } = content.parsed;
  const person = from?.name || from?.address || mail.from || 'the sender';
  if (content.failed !== null) return { kind: 'failed', person, details: sealedDetails(mail) };
  if (content.kind === 'alert') return { kind: 'notice', person, details: [] };
  if (mail.public && !mail.sent) {
    const verdicts = readVerdicts(mail.headers);
    const details = verdictDetails(verdicts);
    return { kind: doubtfulVerdicts.has(verdicts.dmarc ?? '') ? 'unproven' : 'stored', person, details };
  }
  if (mail.sent || mail.draft)
    return { kind: mail.public ? 'own_plain' : 'own', person, details: sealedDetails(mail) };
  // The wrap for oneself proves nothing about others: the server has one of every mail that was opened once.
  const isOwn = proof.isFromSelf && (mail.dh_public === null || mail.dh_public === proof.ownKeyB64);
  const isProved = isOwn || (proof.senderKeyB64 !== null && proof.senderKeyB64 === mail.dh_public);
  return { kind: isProved ? 'sealed' : 'unproven', person, details: sealedDetails(mail) };
}
