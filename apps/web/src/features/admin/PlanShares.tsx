// Number of users per plan: a bar and a percentage for each plan that the server names.
import { t, term } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { Progress } from '../../ui/Progress.tsx';
import { formatPercent, shareOf } from './number-words.ts';

/** Plans that always have a row (docs/spec-map.md 3.42). */
const known: Readonly<Record<string, string>> = {
  free: term('Free'),
  plus: term('Plus'),
  pro: term('Pro'),
  enterprise: term('Enterprise'),
};

/** Returns the display name of a plan. */
export const planName = (plan: string): string =>
  t(known[plan] ?? plan.charAt(0).toUpperCase() + plan.slice(1));

/** Shows the rows, known plans first. */
export function PlanShares({ byPlan }: { byPlan: Readonly<Record<string, number>> }) {
  const plans = [...new Set([...Object.keys(known), ...Object.keys(byPlan)])];
  const total = Object.values(byPlan).reduce((sum, count) => sum + count, 0);
  return (
    <ul className="flex flex-col gap-3">
      {plans.map(plan => {
        const count = byPlan[plan] ?? 0;
        const percent = shareOf(count, total);
        return (
          <li key={plan}>
            <div className="mb-1.5 flex gap-2 text-control">
              <span>{planName(plan)}</span>
              <span className="ms-auto tabular-nums">{formatCount(count)}</span>
              <span className="text-ink-2 tabular-nums">{formatPercent(percent)}</span>
            </div>
            <Progress thick label={t('Users on {plan}', { plan: planName(plan) })} value={percent} />
          </li>
        );
      })}
    </ul>
  );
}
