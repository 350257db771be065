// The mail view `/app/inbox/{tag}/{index}`: list, reader, selection and actions. The page number
// and the open message are part of the address (docs/interpretations.md#44), so that they survive a
// reload and the back button.
import { useQueryClient } from '@tanstack/react-query';
import { useMedia } from '../../lib/media.ts';
import { usePreferences } from '../../session/state/preferences.ts';
import { ListPane } from './list/ListPane.tsx';
import { MailOverlays } from './MailOverlays.tsx';
import { MailPanes } from './MailPanes.tsx';
import { LazyReaderPane } from './reader/LazyReaderPane.tsx';
import { refreshMail } from './state/mutations.ts';
import { useActing } from './use-acting.ts';
import { useMailAddress } from './use-mail-address.ts';
import { useMailCommands } from './use-mail-commands.ts';
import { useOpenRow } from './use-open-row.ts';
import { useRowActions } from './use-row-actions.ts';
import { useRowChanges } from './use-row-changes.ts';
import { useShownList } from './use-shown-list.ts';

export function MailScreen() {
  const cache = useQueryClient();
  const settings = usePreferences();
  const isNarrow = useMedia('(max-width: 1023px)');
  const hasReadingPane = settings.readingPane === 'on';
  const isOnePane = isNarrow || !hasReadingPane;
  const address = useMailAddress();
  const list = useShownList(address);
  const openRow = useOpenRow(address, list);
  const rowChanges = useRowChanges({ address, list, openRow, isOnePane });
  const acting = useActing({ address, list, openRow, rowChanges });
  const actions = useRowActions({ address, list, openRow, acting });
  useMailCommands({ address, list, openRow, acting });
  return (
    <>
      <MailPanes
        isReading={address.openId !== null}
        hasReadingPane={hasReadingPane}
        list={
          <ListPane
            ref={list.handle}
            word={address.word}
            filter={address.filter}
            search={address.search}
            page={address.page}
            list={list.query}
            rows={list.rows}
            onRangeShown={list.listWindow.onRangeShown}
            viewOf={list.viewOf}
            density={hasReadingPane || isNarrow ? settings.density : 'line'}
            selection={list.selection}
            openId={openRow.rowId}
            actions={actions}
            onFilterChange={address.setFilter}
            onShowAll={address.showAll}
            onRefresh={() => refreshMail(cache)}
            selectedPlaces={list.selectedPlaces}
            onActSelection={acting.actSelection}
            onPurgeAll={rowChanges.purgeAll}
            fresh={list.fresh}
          />
        }
        reader={
          <LazyReaderPane
            mailId={address.openId}
            hasBack={isOnePane}
            onBack={() => address.open(null)}
            onMissing={openRow.leaveMissing}
            onChange={(ids, change) => void rowChanges.changeMails(ids, change)}
            onAct={acting.actOn}
          />
        }
      />
      <MailOverlays word={address.word} acting={acting} rowChanges={rowChanges} />
    </>
  );
}
