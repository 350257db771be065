// The organization's log, for its owners and admins.
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { LogList } from '../../ui/LogList.tsx';
import { logLine } from './log-words.ts';
import { useOrganizationLog } from './queries.ts';

export function OrganizationLog() {
  const query = useOrganizationLog();
  return (
    <section aria-labelledby="organization-log">
      <h3 id="organization-log" className="mb-3 text-pane font-semibold">
        {t('Activity log')}
      </h3>
      <AskedFor
        query={query}
        bars={['h-14 w-full', 'h-14 w-full']}
        title={t('Couldn’t load the activity log')}
      >
        {({ pages }) => (
          <LogList
            label={t('Activity log')}
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
