/**
 * The operator's settings for forwarding role mail (KEYFOLD_FORWARD): which role names of the
 * service's own domains, and to which additional addresses. Base layer. Users' names are excluded:
 * mail for a mailbox is never forwarded.
 */
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { isValidAddress } from '@keyfold/mail/addresses';
import { z } from 'zod';

/** Names that stand for a role instead of a mailbox; no user of a service domain can have them. */
const ROLE_NAMES = ['abuse', 'postmaster', 'dmarc', 'tls-rpt', 'tlsrpt'] as const;
type RoleName = (typeof ROLE_NAMES)[number];

/** The additional address for mail of one role, normalized. */
export type ForwardRule = { readonly role: RoleName; readonly target: string };

const isRole = (name: string): name is RoleName => (ROLE_NAMES as readonly string[]).includes(name);

/** Parses `role=address`; returns null when the text is invalid. */
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

/** Environment variables. */
export const forwardEnvironment = {
  KEYFOLD_FORWARD: z
    .string()
    .default('')
    .refine(text => readRules(text).every(rule => rule !== null), {
      message: `must be a comma list of role=address, such as abuse=ops@example.org, with roles of ${ROLE_NAMES.join(', ')}`,
    })
    .transform(text => readRules(text).filter(rule => rule !== null)),
} as const;

/**
 * Returns a one-line reason why rules cannot be used with this host name and these domains; null
 * when they can.
 */
export function findForwardProblem(
  rules: readonly ForwardRule[],
  ownNames: readonly string[],
): string | null {
  const roles = rules.map(({ role }) => role);
  const twice = roles.find((role, at) => roles.indexOf(role) !== at);
  if (twice !== undefined) return `KEYFOLD_FORWARD: ${twice} is listed twice`;
  const inside = rules.find(({ target }) => ownNames.includes(domainOf(target)));
  return inside === undefined
    ? null
    : `KEYFOLD_FORWARD: ${inside.role} must go to an external address, not to a domain of this service`;
}
