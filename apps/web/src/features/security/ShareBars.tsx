// Shows the parts of a total: a bar, a number and a share for each. A table, so that its semantics
// match its appearance.
import { useId } from 'react';
import { formatLocale, t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';

type SharePart = {
  readonly label: string;
  /** One sentence that explains the part. */
  readonly text: string;
  readonly count: number;
};

type ShareBarsProps = {
  title: string;
  /** Unit of the numbers, used as the column header. */
  unit: string;
  parts: readonly SharePart[];
};

const percentText = (share: number): string =>
  new Intl.NumberFormat(formatLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** Renders the parts in the given order. */
export function ShareBars({ title, unit, parts }: ShareBarsProps) {
  const id = useId();
  const whole = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    // Positioned, so that screen-reader-only text stays inside the scroll container.
    <section aria-labelledby={id} className="relative mt-8">
      <h2 id={id} className="mb-3 text-pane font-semibold">
        {title}
      </h2>
      <table aria-labelledby={id} className="w-full border-collapse">
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('Category')}</th>
            <th scope="col">{unit}</th>
            <th scope="col">{t('Percentage')}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ label, text, count }) => {
            const share = whole === 0 ? 0 : count / whole;
            return (
              <tr key={label} className="border-b border-line last:border-b-0">
                <th scope="row" className="py-2.5 pe-4 text-start align-top font-normal">
                  <span className="block font-medium">{label}</span>
                  <span className="block text-control text-ink-2">{text}</span>
                  <svg
                    aria-hidden
                    className="mt-1.5 block h-1.5 w-full overflow-hidden rounded-full bg-line rtl:-scale-x-100"
                  >
                    <rect height="100%" width={`${share * 100}%`} className="fill-accent" />
                  </svg>
                </th>
                <td className="w-16 py-2.5 text-end align-top font-medium tabular-nums">
                  {formatCount(count)}
                </td>
                <td className="w-16 py-2.5 text-end align-top text-ink-2 tabular-nums">
                  {percentText(share)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
