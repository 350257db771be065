// The frame of every signed-in screen, connected to data: counts, storage, account, search,
// polling, composers.
import { useIsMutating } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useNavigate, useParams } from 'react-router';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { titleUnread } from '../../lib/page-title.ts';
import { inboxPath, recieved, signinPath } from '../../paths.ts';
import { useProgramNews } from '../../platform/service-worker.ts';
import { useReachable } from '../../session/calls/reachability.ts';
import { useCommands } from '../../session/commands/commands.ts';
import { freshenTags } from '../../session/fresh-tags.ts';
import { signOut } from '../../session/session.ts';
import { useUser } from '../../session/state/current-user.ts';
import { dropAllComposers, saveAllComposers, useComposers } from '../compose/windows/composer-list.ts';
import { openComposer } from '../compose/windows/composers.ts';
import { dropMail } from '../mail/state/drop-target.ts';
import { badgeOf } from '../mail/state/folders.ts';
import { useMailCounts } from '../mail/state/queries.ts';
import { BottomBar } from './BottomBar.tsx';
import { CommandLayer } from './CommandLayer.tsx';
import { ConnectedSearch } from './ConnectedSearch.tsx';
import { KitReminder } from './KitReminder.tsx';
import { Shell } from './Shell.tsx';
import { TopBar } from './TopBar.tsx';
import { useBackgroundWork } from './use-background-work.ts';
import { useGoCommands } from './use-go-commands.ts';
import type { FolderCountView, SidebarTagView } from './view-model.ts';

const UpdateBar = lazy(async () => ({
  default: (await loadChunk('update', () => import('./UpdateBar.tsx'))).UpdateBar,
}));

const ComposerDock = lazy(async () => ({
  default: (await loadChunk('dock', () => import('../compose/ComposerDock.tsx'))).ComposerDock,
}));

const KeyGuard = lazy(async () => ({
  default: (await loadChunk('keys', () => import('./KeyGuard.tsx'))).KeyGuard,
}));

function useSidebarCounts() {
  const user = useUser();
  const { data } = useMailCounts();
  useEffect(() => {
    if (data !== undefined) void freshenTags(data.tags);
  }, [data]);
  const counts = Object.entries(data?.folders ?? {}).flatMap(([tag, counted]): FolderCountView[] => {
    const badge = badgeOf(tag, counted);
    return badge === null ? [] : [{ tag, ...badge }];
  });
  const tags = (user?.tags ?? []).map(
    ({ name, color }): SidebarTagView => ({
      name,
      color,
      unread: data?.tags[name]?.unread ?? 0,
      total: data?.tags[name]?.total ?? 0,
    }),
  );
  return { counts, tags, usedBytes: data?.storage_used ?? user?.storage_used ?? 0 };
}

async function signOutHere(): Promise<void> {
  dropAllComposers();
  await signOut();
  // A full page load, so that nothing of this mailbox stays in memory.
  location.assign(signinPath);
}

/** Renders the signed-in page around a screen. */
export function AppFrame() {
  const user = useUser();
  const hasNews = useProgramNews();
  const navigate = useNavigate();
  const { tag } = useParams();
  const { pathname, search: query, key } = useLocation();
  const isMail = pathname.startsWith(inboxPath);
  const [drawer, setDrawer] = useState<'menu' | 'tags' | null>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const { counts, tags, usedBytes } = useSidebarCounts();
  const isOnline = useReachable();
  const waiting = useIsMutating({ predicate: change => change.state.isPaused });
  useGoCommands(path => void navigate(path));
  useCommands([
    { id: 'compose', run: () => openComposer() },
    { id: 'search', run: () => searchInput.current?.focus() },
    {
      id: 'account:signOut',
      title: t('Sign out'),
      group: 'settings',
      keywords: 'log out logout',
      run: () => void signOutHere(),
    },
  ]);
  const unread = counts.find(one => one.tag === recieved)?.count ?? 0;
  useEffect(() => {
    titleUnread(unread);
    return () => titleUnread(0);
  }, [unread]);
  const isSettled = useBackgroundWork(user?.main_key.key_id ?? '', key);
  const hasMessages = useComposers().length > 0;
  const go = useCallback((path: string) => void navigate(path), [navigate]);
  if (user === null) return null;
  return (
    <Shell
      sidebar={{
        current: tag ?? null,
        counts,
        tags,
        storage: { usedBytes, totalBytes: user.plan_config.storage_limit },
        onCompose: () => openComposer(),
        onMoved: go,
        onDropOnFolder: (folder, ids) => dropMail(ids, { kind: 'folder', folder }),
        onDropOnTag: (name, ids) => dropMail(ids, { kind: 'tag', name }),
      }}
      top={
        <TopBar
          search={<ConnectedSearch inputRef={searchInput} />}
          account={{ name: user.name, email: user.email, isAdmin: user.role.is_admin }}
          isOffline={!isOnline}
          waitingChanges={waiting}
          onOpenMenu={() => setDrawer('menu')}
          onNavigate={go}
          onSignOut={() => void signOutHere()}
        />
      }
      bottom={
        <BottomBar
          onNavigate={go}
          onSearch={() => searchInput.current?.focus()}
          onOpenTags={() => setDrawer('tags')}
        />
      }
      drawer={drawer}
      onCloseDrawer={() => setDrawer(null)}
      banner={
        <>
          {user.recovery_at === null && <KitReminder />}
          <Suspense>
            {isSettled && <KeyGuard />}
            {hasNews && <UpdateBar onBeforeReload={saveAllComposers} />}
          </Suspense>
        </>
      }
      overlay={
        <>
          {(isSettled || hasMessages) && (
            <Suspense>
              <ComposerDock />
            </Suspense>
          )}
          <CommandLayer onNavigate={go} />
        </>
      }
      isReading={isMail && new URLSearchParams(query).has('m')}
      hasFab={isMail}
    >
      <Outlet />
    </Shell>
  );
}
