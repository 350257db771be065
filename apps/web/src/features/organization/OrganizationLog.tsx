// What was done in the organisation, for its owners and admins.
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { LogList } from '../../ui/LogList.tsx';
import { logLine } from './log-words.ts';
import { useOrganizationLog } from './queries.ts';

/** The section. */
export function OrganizationLog() {
  const query = useOrganizationLog();
  return (
    <section aria-labelledby="organisation-log">
      <h3 id="organisation-log" className="mb-3 text-pane font-semibold">
        {t('Log')}
      </h3>
      <AskedFor
        query={query}
        bars={['h-14 w-full', 'h-14 w-full']}
        title={t('Failed to get the log of the organisation')}
      >
        {({ pages }) => (
          <LogList
            label={t('Log')}
            lines={pages.flatMap(page => page.entries.map(logLine))}
            hasMore={query.hasNextPage}
            isLoadingMore={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        )}
      </AskedFor>
    </section>
  );
}
