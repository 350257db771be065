// Reads the guests and the organizer from the lines of a calendar file. Tolerates malformed
// addresses: a doubled scheme, a name instead of an address. Does not know answers given elsewhere.
import { ICS_MAX_TEXT_CHARACTERS } from '../limits.ts';
import type { Property } from './lines.ts';

export const ANSWERS = ['NEEDS-ACTION', 'ACCEPTED', 'DECLINED', 'TENTATIVE', 'DELEGATED'] as const;
export type Answer = (typeof ANSWERS)[number];

export type Guest = {
  readonly name: string;
  readonly address: string;
  readonly answer: Answer;
  readonly role: 'chair' | 'required' | 'optional' | 'none';
  readonly kind: 'person' | 'group' | 'resource' | 'room';
  readonly isAnswerWanted: boolean;
  /**
   * Answers an invitation that Keyfold sent (docs/interpretations.md#78); appears with one guest
   * only.
   */
  readonly token: string | null;
};

/** Removes the scheme, however often it is repeated, brackets, and a query for the composer. */
function addressOf(value: unknown): string {
  const plain = String(value ?? '')
    .trim()
    .replace(/^(?:mailto:\s*)+/i, '')
    .replace(/^<([^<>]*)>$/, '$1')
    .replace(/\?.*$/s, '')
    .trim();
  const decoded = /%[0-9a-f]{2}/i.test(plain) ? decode(plain) : plain;
  return decoded.slice(0, 320);
}

/** Percent-decodes the text if the result is an address. */
function decode(text: string): string {
  try {
    const read = decodeURIComponent(text);
    return /^[^\s@]+@[^\s@]+$/.test(read) ? read : text;
  } catch {
    return text;
  }
}

const nameOf = (name: string | undefined): string =>
  (name ?? '')
    .slice(0, ICS_MAX_TEXT_CHARACTERS)
    .replace(/^(?:mailto:\s*)+/i, '')
    .trim()
    .slice(0, 200);

const ROLES: Readonly<Record<string, Guest['role']>> = {
  CHAIR: 'chair',
  'OPT-PARTICIPANT': 'optional',
  'NON-PARTICIPANT': 'none',
};
const KINDS: Readonly<Record<string, Guest['kind']>> = { GROUP: 'group', RESOURCE: 'resource', ROOM: 'room' };

/** Returns the guest of one ATTENDEE line. */
export function readGuest({ params, values }: Property): Guest {
  const answer = params.partstat?.toUpperCase();
  const address = params.email === undefined ? addressOf(values[0]) : addressOf(params.email);
  return {
    name: nameOf(params.cn),
    address,
    answer: ANSWERS.find(one => one === answer) ?? 'NEEDS-ACTION',
    role: ROLES[params.role?.toUpperCase() ?? ''] ?? 'required',
    kind: KINDS[params.cutype?.toUpperCase() ?? ''] ?? 'person',
    isAnswerWanted: params.rsvp?.toUpperCase() === 'TRUE',
    token: /^[A-Za-z0-9_.-]{16,1200}$/.exec(params['x-keyfold-token'] ?? '')?.[0] ?? null,
  };
}

/** Returns the person of an ORGANIZER line; null without one. */
export const readOrganizer = (line: Property | undefined): { name: string; address: string } | null =>
  line === undefined
    ? null
    : {
        name: nameOf(line.params.cn),
        address: addressOf(line.params.email === undefined ? line.values[0] : line.params.email),
      };
