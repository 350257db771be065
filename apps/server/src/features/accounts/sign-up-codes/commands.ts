/**
 * What the operator's tool does with codes for new accounts: lines to print for a command, null for one that is none.
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

export const CODES_USAGE = `  affiliate add CODE [NOTE]      count sign-ups that name CODE, up to ${AFFILIATE_CODE_MAX_CHARACTERS} characters of your choice
  affiliate list                 show the codes and how many accounts each brought
  affiliate remove CODE          count it no more
  invitation add USES DAYS [NOTE]  make a code for so many accounts, good for so many days; 0 days: for ever
  invitation list                show the codes that were made, by their first letters
  invitation remove ID           end one`;

const numberOf = (text: string | undefined, min: number, max: number): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max
    ? Number(text)
    : null;

/** Whether these words, after `affiliate` or `invitation`, are a command. */
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
    return [`Sign-ups with ${code} are counted.`];
  }
  if (verb === 'remove') {
    await removeAffiliate(deps, OPERATOR, code);
    return [`Sign-ups with ${code} are counted no more.`];
  }
  const codes = await findAffiliates(deps.db);
  return codes.length === 0
    ? ['There is no affiliate code.']
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
    const until = expiresAt === null ? 'without end' : `until ${expiresAt.toISOString()}`;
    return [
      code,
      `Good for ${first === '1' ? 'one account' : `${first} accounts`}, ${until}. It is shown only now.`,
    ];
  }
  if (verb === 'remove') {
    await removeInvitation(deps, OPERATOR, first);
    return ['The invitation has ended.'];
  }
  const codes = await findInvitations(deps.db);
  return codes.length === 0
    ? ['There is no invitation code.']
    : codes.map(
        one =>
          `${one.id}\t${one.hint}-…\t${one.uses_left} of ${one.uses_allowed} left\t${one.expires_at?.toISOString() ?? 'without end'}\t${one.note}`,
      );
}

/** Does a command that isCodeCommand knows. Throws not_found, code_taken, malformed. */
export const runCodeCommand = (deps: Deps, kind: string, rest: readonly string[]): Promise<string[]> =>
  kind === 'affiliate' ? runAffiliate(deps, rest) : runInvitation(deps, rest);
