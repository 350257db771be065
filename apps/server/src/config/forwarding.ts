/**
 * What the operator says about sending role mail on (KEYFOLD_FORWARD): which names of the service's own domains, and where
 * their mail goes besides. Ground. Names of people are none of them: mail of a mailbox is never sent on.
 */
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { isValidAddress } from '@keyfold/mail/addresses';
import { z } from 'zod';

/** Names of a domain that stand for a task and nobody's mailbox; no user of a service domain can have them. */
const ROLE_NAMES = ['abuse', 'postmaster', 'dmarc', 'tls-rpt', 'tlsrpt'] as const;
type RoleName = (typeof ROLE_NAMES)[number];

/** Where mail of one role goes besides; the address is normalised. */
export type ForwardRule = { readonly role: RoleName; readonly target: string };

const isRole = (name: string): name is RoleName => (ROLE_NAMES as readonly string[]).includes(name);

/** Reads `role=address`; null when it says something else. */
function readRule(text: string): ForwardRule | null {
  const equals = text.indexOf('=');
  const role = text.slice(0, Math.max(0, equals)).trim().toLowerCase();
  const target = normalizeAddress(text.slice(equals + 1));
  return isRole(role) && isValidAddress(target) ? { role, target } : null;
}

const readRules = (text: string): (ForwardRule | null)[] =>
  text
    .split(',')
    .filter(part => part.trim() !== '')
    .map(readRule);

/** Variables of the environment. */
export const forwardEnvironment = {
  KEYFOLD_FORWARD: z
    .string()
    .default('')
    .refine(text => readRules(text).every(rule => rule !== null), {
      message: `must be a comma list of role=address, such as abuse=ops@example.org, with roles of ${ROLE_NAMES.join(', ')}`,
    })
    .transform(text => readRules(text).filter(rule => rule !== null)),
} as const;

/** Why rules cannot be used on a machine of this name and these domains, as one line; null when they can. */
export function findForwardProblem(
  rules: readonly ForwardRule[],
  ownNames: readonly string[],
): string | null {
  const roles = rules.map(({ role }) => role);
  const twice = roles.find((role, at) => roles.indexOf(role) !== at);
  if (twice !== undefined) return `KEYFOLD_FORWARD: ${twice} is named twice`;
  const inside = rules.find(({ target }) => ownNames.includes(domainOf(target)));
  return inside === undefined
    ? null
    : `KEYFOLD_FORWARD: ${inside.role} must go to an address elsewhere, not at a domain of this service`;
}
