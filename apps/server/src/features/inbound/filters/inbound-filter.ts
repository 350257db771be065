/**
 * Runs the recipients' filters on a plaintext message while it is in memory: whether it is flagged,
 * and which rule actions apply. If a recipient's filters fail for any reason, the message stays in
 * the inbox.
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

/** A plaintext message from outside. */
export type ArrivingMail = JudgedMail &
  Omit<ScoredMail, 'host'> & {
    readonly clientIp: string;
    /** DNS name of the client that delivered the message; looked up only when a score is needed. */
    readonly findHostName: () => Promise<
      { readonly kind: 'named'; readonly name: string } | { readonly kind: 'none' | 'unknown' }
    >;
  };

/** Actions to apply to a message, and why it is flagged. */
export type Treatment = { readonly actions: RuleActions; readonly flaggedBy: Finding };

type Filters = {
  readonly judge: Judge;
  readonly match: ((mail: RuledMail) => RuleActions | null) | null;
};

/** Estimates the memory that a user's parsed filters take, from their stored size. */
const sizeOf = ({ rules_sealed, settings_sealed }: FilterRow): number =>
  FILTERS_READY_BASE_BYTES + (rules_sealed?.length ?? 0) + (settings_sealed?.length ?? 0);

/** Filters of a user without settings, or whose filters can't be opened. */
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
  /**
   * Returns the treatments for users whose filters act on the message, and its score if a user's
   * filters needed it.
   */
  readonly treat: (
    userIds: readonly string[],
    verdicts: ArrivalVerdicts,
    read: () => ArrivingMail,
  ) => Promise<{ readonly treatments: ReadonlyMap<string, Treatment>; readonly points: number | null }>;
  /** Returns a message's score, regardless of any user's settings. */
  readonly score: (mail: ArrivingMail) => Promise<number>;
};

export function createInboundFilter({ db, logger, masterKey, spamScanner }: FilterDeps): InboundFilter {
  const ready = createReady<Filters>(FILTERS_READY_MAX_BYTES);
  const findVersion = createGroupLookup((userIds: readonly string[]) => findVersions(db, userIds));

  /** Opens and parses filters. Returns null when they cannot be opened. */
  const open = (row: FilterRow): Filters | null => {
    try {
      const settings = openSettings(masterKey, row.user_id, row.settings_sealed);
      const rules = openRules(masterKey, row.user_id, row.rules_sealed);
      return {
        judge: createJudge(settings ?? STANDARD_SETTINGS),
        match: rules.length === 0 ? null : createRuleMatcher(rules),
      };
    } catch {
      logger.warn({ userId: row.user_id }, 'could not open the filters of a user');
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

  /** Returns a message's score: that of the external scanner if it answers, ours otherwise. */
  const scoreOf = async (mail: ArrivingMail): Promise<number> => {
    // Our own scorer looks up the client's host name only when nothing else authenticates the
    // sender.
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
          // The error text might quote the message.
          logger.warn({ userId }, 'could not run the filters of a user');
          if (isDisowned(verdicts))
            treatments.set(userId, { actions: { ...NOTHING, flag: true }, flaggedBy: 'score' });
        }
      }
      return { treatments, points: (await score?.catch(() => null)) ?? null };
    },
  };
}
