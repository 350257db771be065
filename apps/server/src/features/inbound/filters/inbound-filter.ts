/**
 * What a plain mail's readers have said about it, asked while it is in memory on its way in: whether it is flagged, and
 * what their rules want done. Whatever goes wrong with what one of them has said leaves the mail in the inbox.
 */
import { createRuleMatcher, type RuleActions, type RuledMail } from '@keyfold/mail/rules';
import { FILTERS_READY_BASE_BYTES, FILTERS_READY_MAX_BYTES } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { createGroupLookup } from '../../../db/group-lookup.ts';
import { createJudge, type Finding, type Judge, type JudgedMail } from './judge.ts';
import { createReady } from './ready.ts';
import {
  type ArrivalVerdicts,
  hasProof,
  isDisowned,
  leastScore,
  type ScoredMail,
  scoreMail,
} from './score.ts';
import { openRules, openSettings } from './sealing.ts';
import { STANDARD_SETTINGS } from './settings.ts';
import { type FilterRow, findFilters, findVersions } from './store.ts';

type FilterDeps = Pick<Deps, 'db' | 'logger' | 'masterKey' | 'spamScanner'>;

/** A mail from outside, readable. */
export type ArrivingMail = JudgedMail &
  Omit<ScoredMail, 'host'> & {
    readonly clientIp: string;
    /** What the DNS calls the machine that brought it; asked for when points are. */
    readonly findHostName: () => Promise<
      { readonly kind: 'named'; readonly name: string } | { readonly kind: 'none' | 'unknown' }
    >;
  };

/** What is to be done with a mail, and what it is flagged for. */
export type Treatment = { readonly actions: RuleActions; readonly flaggedBy: Finding };

type Filters = {
  readonly judge: Judge;
  readonly match: ((mail: RuledMail) => RuleActions | null) | null;
};

/** What a user's filters take when they are ready, by what they take when they are stored. */
const sizeOf = ({ rules_sealed, settings_sealed }: FilterRow): number =>
  FILTERS_READY_BASE_BYTES + (rules_sealed?.length ?? 0) + (settings_sealed?.length ?? 0);

/** Of a user who has said nothing, or whose filters can't be opened. */
const STANDARD: Filters = { judge: createJudge(STANDARD_SETTINGS), match: null };

const NOTHING: RuleActions = {
  tags: [],
  read: false,
  star: false,
  archive: false,
  flag: false,
  delete: false,
};

type InboundFilter = {
  /** Treatments for the users whose filters want something done with the mail, and its points where somebody needed them. */
  readonly treat: (
    userIds: readonly string[],
    verdicts: ArrivalVerdicts,
    read: () => ArrivingMail,
  ) => Promise<{ readonly treatments: ReadonlyMap<string, Treatment>; readonly points: number | null }>;
  /** A mail's points, whatever anybody has said. */
  readonly score: (mail: ArrivingMail) => Promise<number>;
};

export function createInboundFilter({ db, logger, masterKey, spamScanner }: FilterDeps): InboundFilter {
  const ready = createReady<Filters>(FILTERS_READY_MAX_BYTES);
  const findVersion = createGroupLookup((userIds: readonly string[]) => findVersions(db, userIds));

  /** Filters made ready, or null when they cannot be opened. */
  const open = (row: FilterRow): Filters | null => {
    try {
      const settings = openSettings(masterKey, row.user_id, row.settings_sealed);
      const rules = openRules(masterKey, row.user_id, row.rules_sealed);
      return {
        judge: createJudge(settings ?? STANDARD_SETTINGS),
        match: rules.length === 0 ? null : createRuleMatcher(rules),
      };
    } catch {
      logger.warn({ userId: row.user_id }, 'filters of a user could not be opened');
      return null;
    }
  };

  const filtersOf = async (userId: string, version: number | undefined): Promise<Filters> => {
    if (version === undefined) return STANDARD;
    const known = ready.find(userId, version);
    if (known !== null) return known;
    const row = await findFilters(db, userId);
    const filters = row === undefined ? null : open(row);
    if (row === undefined || filters === null) ready.forget(userId);
    else ready.keep(userId, row.version, sizeOf(row), filters);
    return filters ?? STANDARD;
  };

  /** A mail's points: those of the other program where one answers, ours otherwise. */
  const scoreOf = async (mail: ArrivingMail): Promise<number> => {
    // Our own points ask for the machine's name only where nothing else vouches for the sender.
    const host =
      spamScanner === null && hasProof(mail) ? ({ kind: 'unknown' } as const) : await mail.findHostName();
    const hostName = host.kind === 'named' ? host.name : null;
    const scanned =
      (await spamScanner?.scan({ ...mail, hostName })) ?? scoreMail({ ...mail, host: host.kind });
    return Math.max(scanned, leastScore(mail.verdicts));
  };

  const treatOne = async (
    { judge, match }: Filters,
    mail: ArrivingMail,
    points: () => Promise<number>,
  ): Promise<Treatment | null> => {
    const finding = await judge(mail, points);
    const actions = match?.(mail) ?? null;
    if (finding === null)
      return actions === null ? null : { actions, flaggedBy: actions.flag ? 'rule' : null };
    return { actions: { ...(actions ?? NOTHING), flag: true }, flaggedBy: finding };
  };

  return {
    score: scoreOf,
    treat: async (userIds, verdicts, read) => {
      const versions = await Promise.all(userIds.map(findVersion));
      const treatments = new Map<string, Treatment>();
      let mail: ArrivingMail | undefined;
      let score: Promise<number> | undefined;
      for (const [index, userId] of userIds.entries()) {
        const filters = await filtersOf(userId, versions[index]);
        try {
          mail ??= read();
          const arriving = mail;
          const treatment = await treatOne(filters, arriving, () => (score ??= scoreOf(arriving)));
          if (treatment !== null) treatments.set(userId, treatment);
        } catch {
          // The error's text might quote the mail.
          logger.warn({ userId }, 'filters of a user could not be run');
          if (isDisowned(verdicts))
            treatments.set(userId, { actions: { ...NOTHING, flag: true }, flaggedBy: 'score' });
        }
      }
      return { treatments, points: (await score?.catch(() => null)) ?? null };
    },
  };
}
