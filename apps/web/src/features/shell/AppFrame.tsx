// The frame of every signed-in screen, connected: counts, storage, account, search, polling, composers.
import { useIsMutating } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { useOnline } from '../../lib/online.ts';
import { isTypingIn } from '../../lib/typing.ts';
import { formatCount } from '../../lib/words.ts';
import { mailPath, recieved, signinPath } from '../../paths.ts';
import { useUser } from '../../session/current-user.ts';
import { startPolling } from '../../session/polling.ts';
import { signOut } from '../../session/session.ts';
import { composerWarmMs } from '../../timing.ts';
import { ComposerDock } from '../compose/ComposerDock.tsx';
import { dropAllComposers, openComposer } from '../compose/composers.ts';
import { warmComposer } from '../compose/LazyComposerWindow.tsx';
import { forgetKeys } from '../compose/recipient-keys.ts';
import { useMailCounts } from '../mail/queries.ts';
import { BottomBar } from './BottomBar.tsx';
import { SearchBar } from './SearchBar.tsx';
import { Shell } from './Shell.tsx';
import { TopBar } from './TopBar.tsx';
import { useGoShortcuts } from './use-go-shortcuts.ts';
import type { FolderCountView, SidebarTagView } from './view-model.ts';

/** Folders whose number is all mails, not the unread ones. */
const countedWhole = new Set(['drafts', 'flagged']);
/** Folders whose unread number says nothing. */
const uncounted = new Set(['sent', 'deleted', 'all', 'starred', 'archived']);

function useSidebarCounts() {
  const user = useUser();
  const { data } = useMailCounts();
  const counts = Object.entries(data?.folders ?? {})
    .filter(([word]) => !uncounted.has(word))
    .map(
      ([word, { total, unread }]): FolderCountView => ({
        tag: word,
        count: countedWhole.has(word) ? total : unread,
      }),
    );
  const tags = (user?.tags ?? []).map(
    ({ name, color }): SidebarTagView => ({
      name,
      color,
      unread: data?.tags[name]?.unread ?? 0,
    }),
  );
  return { counts, tags, usedBytes: data?.storage_used ?? user?.storage_used ?? 0 };
}

/** The search over the list: what is typed becomes the address's `q` at Enter. */
function useSearch() {
  const [query, setQuery] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const active = query.get('q') ?? '';
  const [text, setText] = useState(active);
  const [seen, setSeen] = useState(active);
  if (seen !== active) {
    setSeen(active);
    setText(active);
  }
  const submit = () => {
    const wanted = text.trim();
    if (pathname.startsWith('/app/inbox')) setQuery(wanted === '' ? {} : { q: wanted });
    else void navigate(`${mailPath(recieved)}?${new URLSearchParams({ q: wanted })}`);
  };
  const clear = () => {
    setText('');
    if (active !== '') setQuery({});
  };
  return { text, setText, submit, clear };
}

/** Unread mail shows in the title of the tab, the only thing seen of a tab that is not. */
function useTitle(unread: number): void {
  useEffect(() => {
    document.title = unread > 0 ? `(${formatCount(unread)}) Keyfold` : 'Keyfold';
    return () => {
      document.title = 'Keyfold';
    };
  }, [unread]);
}

/** The signed-in page around a screen. */
export function AppFrame() {
  const user = useUser();
  const navigate = useNavigate();
  const { tag } = useParams();
  const { search: query } = useLocation();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const searchInput = useRef<HTMLInputElement>(null);
  const { counts, tags, usedBytes } = useSidebarCounts();
  const isOnline = useOnline();
  const waiting = useIsMutating({ predicate: change => change.state.isPaused });
  const search = useSearch();
  useGoShortcuts(path => void navigate(path));
  useTitle(counts.find(one => one.tag === recieved)?.count ?? 0);
  useEffect(() => startPolling(), []);
  useEffect(() => {
    const warming = setTimeout(warmComposer, composerWarmMs);
    return () => clearTimeout(warming);
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTypingIn(event.target)) return;
      event.preventDefault();
      searchInput.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const leave = async () => {
    dropAllComposers();
    forgetKeys();
    await signOut();
    // A fresh page: nothing of this mailbox stays in memory.
    location.assign(signinPath);
  };
  if (user === null) return null;
  const go = (path: string) => void navigate(path);
  return (
    <Shell
      sidebar={{
        current: tag ?? null,
        counts,
        tags,
        storage: { usedBytes, totalBytes: user.plan_config.storage_limit },
        onCompose: () => openComposer(),
      }}
      top={
        <TopBar
          search={
            <SearchBar
              inputRef={searchInput}
              text={search.text}
              chips={[]}
              onTextChange={search.setText}
              onRemoveChip={() => undefined}
              onSubmit={search.submit}
              onClear={search.clear}
            />
          }
          account={{ name: user.name, email: user.email }}
          isOffline={!isOnline}
          waitingChanges={waiting}
          onOpenMenu={() => setDrawerOpen(true)}
          onNavigate={go}
          onSignOut={() => void leave()}
        />
      }
      bottom={
        <BottomBar
          onNavigate={go}
          onSearch={() => searchInput.current?.focus()}
          onOpenTags={() => setDrawerOpen(true)}
        />
      }
      isDrawerOpen={isDrawerOpen}
      onCloseDrawer={() => setDrawerOpen(false)}
      overlay={<ComposerDock />}
      hasFab={!new URLSearchParams(query).has('m')}
    >
      <Outlet />
    </Shell>
  );
}
