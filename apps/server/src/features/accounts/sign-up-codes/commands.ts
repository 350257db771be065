/**
 * Operator commands for sign-up codes. Return the lines to print, or null for an unknown command.
 */
import {
  AFFILIATE_CODE_MAX_CHARACTERS,
  INVITATION_DAYS_MAX,
  INVITATION_USES_MAX,
} from '@keyfold/contract/limits';
import type { Deps } from '../../../context/deps.ts';
import {
  createAffiliate,
  createInvitation,
  findAffiliates,
  findInvitations,
  removeAffiliate,
  removeInvitation,
} from './service.ts';

export const CODES_USAGE = `  affiliate add CODE [NOTE]      add CODE (up to ${AFFILIATE_CODE_MAX_CHARACTERS} characters) and count the sign-ups that use it
  affiliate list                 list the codes with the number of sign-ups
  affiliate remove CODE          remove CODE and stop counting
  invitation add USES DAYS [NOTE]  create a code for USES accounts that expires after DAYS days (0 = never)
  invitation list                list the codes by their first letters
  invitation remove ID           revoke a code`;

const numberOf = (text: string | undefined, min: number, max: number): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max
    ? Number(text)
    : null;

/** Returns whether the words after `affiliate` or `invitation` form a command. */
export function isCodeCommand(
  kind: string,
  [verb, first, second, note, ...more]: readonly string[],
): boolean {
  if (verb === 'list') return first === undefined;
  if (verb === 'remove') return first !== undefined && second === undefined;
  if (verb !== 'add') return false;
  if (kind === 'affiliate') return first !== undefined && note === undefined;
  return (
    numberOf(first, 1, INVITATION_USES_MAX) !== null &&
    numberOf(second, 0, INVITATION_DAYS_MAX) !== null &&
    more.length === 0
  );
}

const OPERATOR = { kind: 'operator' } as const;

async function runAffiliate(deps: Deps, [verb, code = '', note = '']: readonly string[]): Promise<string[]> {
  if (verb === 'add') {
    await createAffiliate(deps, OPERATOR, code, note);
    return [`Added ${code}. Sign-ups that use it are counted.`];
  }
  if (verb === 'remove') {
    await removeAffiliate(deps, OPERATOR, code);
    return [`Removed ${code}. Its sign-ups are no longer counted.`];
  }
  const codes = await findAffiliates(deps.db);
  return codes.length === 0
    ? ['There are no affiliate codes.']
    : codes.map(one => `${one.signups}\t${one.code}\t${one.note}`);
}

async function runInvitation(
  deps: Deps,
  [verb, first = '', days, note = '']: readonly string[],
): Promise<string[]> {
  if (verb === 'add') {
    const { code, expiresAt } = await createInvitation(deps, OPERATOR, {
      uses: Number(first),
      days: Number(days) || undefined,
      note,
    });
    const until = expiresAt === null ? 'without expiry' : `until ${expiresAt.toISOString()}`;
    return [
      code,
      `Valid for ${first === '1' ? '1 account' : `${first} accounts`}, ${until}. The code is shown only once.`,
    ];
  }
  if (verb === 'remove') {
    await removeInvitation(deps, OPERATOR, first);
    return ['Revoked the invitation code.'];
  }
  const codes = await findInvitations(deps.db);
  return codes.length === 0
    ? ['There are no invitation codes.']
    : codes.map(
        one =>
          `${one.id}\t${one.hint}-…\t${one.uses_left} of ${one.uses_allowed} left\t${one.expires_at?.toISOString() ?? 'no expiry'}\t${one.note}`,
      );
}

/** Runs a command that isCodeCommand recognizes. Throws not_found, code_taken, malformed. */
export const runCodeCommand = (deps: Deps, kind: string, rest: readonly string[]): Promise<string[]> =>
  kind === 'affiliate' ? runAffiliate(deps, rest) : runInvitation(deps, rest);
