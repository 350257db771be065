// Stands in the place of the rows while the first answer of a search is on its way; nothing for a moment, since most
// answers come at once.
import { t } from '../../lib/language.ts';
import { useLater } from '../../lib/later.ts';
import { QUIET_WAIT_MS } from '../../timing.ts';
import { Spinner } from '../../ui/Spinner.tsx';

/** "Searching…" */
export function SearchWait() {
  const isVisible = useLater(QUIET_WAIT_MS);
  return (
    <p role="status" className="flex items-center justify-center gap-2.5 px-6 py-12 text-control text-ink-2">
      {isVisible && (
        <>
          <Spinner className="text-ink-3" />
          {t('Searching…')}
        </>
      )}
    </p>
  );
}
