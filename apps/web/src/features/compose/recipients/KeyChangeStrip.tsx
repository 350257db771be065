// Warns that sending is blocked because a recipient's key has changed or a safety number did not
// match, and opens the review.
import { ShieldAlert } from 'lucide-react';
import { sentenceGap, t } from '../../../lib/language.ts';
import { needsReview } from '../../../session/trust/pins.ts';
import type { RecipientView } from '../draft/view-model.ts';

type KeyChangeStripProps = {
  people: readonly RecipientView[];
  onReview?: ((recipient: RecipientView) => void) | undefined;
};

/** The red strip under the recipients; renders nothing while no key needs a review. */
export function KeyChangeStrip({ people, onReview }: KeyChangeStripProps) {
  const changed = people.filter(({ state }) => needsReview(state));
  if (changed.length === 0) return null;
  return (
    <div role="alert" className="bg-danger-bg px-4 py-2 text-control leading-[18px] text-danger">
      {changed.map(one => (
        <div key={one.address} className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <ShieldAlert aria-hidden size={16} className="shrink-0" />
          <span className="min-w-0 break-words">
            <b className="font-strong">
              {one.state === 'mismatch'
                ? t('The safety number for {person} doesn’t match.', { person: one.name || one.address })
                : t('The key for {person} has changed.', { person: one.name || one.address })}
            </b>
            {sentenceGap()}
            {t('Sending is blocked until you review it.')}
          </span>
          {onReview !== undefined && (
            <button
              type="button"
              onClick={() => onReview(one)}
              className="rounded-chip font-semibold underline underline-offset-2 hover:no-underline"
            >
              {t('Review key')}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
