// Layout of an area of pages (settings, security): the list of pages on the left and the selected
// page beside it. A phone shows one of the two.
import { ArrowLeft, ChevronRight } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { usePhone } from '../../lib/media.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { settingsRoot } from '../../paths.ts';
import { menuOf } from './menus.ts';
import type { PageGroup } from './pages.ts';

type AreaLayoutProps = {
  title: string;
  /** Label of the link back to the list of pages on a phone. */
  listLabel: string;
  groups: readonly PageGroup[];
  /** The address at which a phone shows only the list of pages, if there is one. */
  root?: string;
  /** The area that links here. */
  parent?: { readonly path: string; readonly label: string };
};

/** Renders the layout around a page of an area. */
function AreaLayout({ title, listLabel, groups, root, parent }: AreaLayoutProps) {
  const { pathname } = useLocation();
  const isPhone = usePhone();
  const [isListAsked, setListShown] = useState(false);
  const isListShown = isListAsked || pathname === root;
  usePageTitle(isPhone && isListShown ? title : null);
  const paths = groups.flatMap(({ pages }) => pages.map(({ path }) => path));
  // A page below a listed one belongs to it, unless it is listed separately.
  const current = paths.includes(pathname)
    ? pathname
    : paths.findLast(path => pathname.startsWith(`${path}/`));
  const showsNav = !isPhone || isListShown;
  const [typed, setTyped] = useState('');
  const shown = findPages(groups, typed);
  const navigate = useNavigate();
  const openFirst = (event: FormEvent) => {
    event.preventDefault();
    const first = shown[0]?.pages[0];
    if (typed.trim() === '' || first === undefined) return;
    setListShown(false);
    void navigate(first.path);
  };
  return (
    <div className="grid h-full min-h-0 grid-cols-[minmax(0,1fr)] bg-surface pane:grid-cols-[232px_minmax(0,1fr)]">
      {showsNav && (
        <nav aria-label={title} className="min-h-0 overflow-auto p-3 pane:border-e pane:border-line">
          {parent !== undefined && (
            <Link
              to={parent.path}
              className="flex min-h-8 items-center gap-2 rounded-nav px-2.5 text-control font-medium text-accent-text no-underline hover:bg-hover pointer-coarse:min-h-11"
            >
              <ArrowLeft aria-hidden size={15} className="rtl:-scale-x-100" />
              {parent.label}
            </Link>
          )}
          <h2 className="px-2.5 pt-1 pb-2 text-pane font-strong">{title}</h2>
          <search>
            <form noValidate onSubmit={openFirst} className="px-1 pb-3">
              <input
                type="search"
                aria-label={t('Search settings')}
                placeholder={t('Search settings')}
                autoComplete="off"
                value={typed}
                onChange={event => setTyped(event.target.value)}
                className="h-9 w-full rounded-control border border-line-strong bg-surface px-3 text-base outline-none focus-visible:outline-2 focus-visible:outline-focus pointer-coarse:h-11"
              />
            </form>
          </search>
          <p role="status" className="px-2.5 text-control text-ink-2">
            {shown.length === 0 && t('No matching settings')}
          </p>
          {shown.map(({ label, pages }) => (
            <section key={label} aria-label={label} className="mb-3">
              <h3 className="px-2.5 py-1 text-meta font-semibold text-ink-3">{label}</h3>
              {pages.map(({ path, title: name, Icon }) => {
                const isCurrent = !isPhone && path === current;
                return (
                  <Link
                    key={path}
                    to={path}
                    aria-current={isCurrent ? 'page' : undefined}
                    onClick={() => setListShown(false)}
                    className={cn(
                      'flex min-h-8 items-center gap-2.5 rounded-nav px-2.5 font-medium text-ink-2 no-underline hover:bg-hover pointer-coarse:min-h-11',
                      'aria-[current=page]:bg-selected-strong aria-[current=page]:font-semibold aria-[current=page]:text-accent-text',
                    )}
                  >
                    <Icon aria-hidden size={17} className="shrink-0" />
                    <span className="min-w-0 flex-1 py-1 leading-tight wrap-break-word">{name}</span>
                    <ChevronRight aria-hidden size={16} className="text-ink-3 rtl:-scale-x-100 pane:hidden" />
                  </Link>
                );
              })}
            </section>
          ))}
        </nav>
      )}
      {(!isPhone || !isListShown) && (
        <div className="flex min-h-0 min-w-0 flex-col">
          {isPhone && (
            <button
              type="button"
              onClick={() => (root === undefined ? setListShown(true) : void navigate(root))}
              className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-4 text-control font-medium text-accent-text -outline-offset-2"
            >
              <ArrowLeft aria-hidden size={17} className="rtl:-scale-x-100" />
              {listLabel}
            </button>
          )}
          <div className="min-h-0 flex-1">
            {/* The window was widened while the list of a phone was shown. */}
            {pathname === root && paths[0] !== undefined && <Navigate to={paths[0]} replace />}
            <Outlet />
          </div>
        </div>
      )}
    </div>
  );
}

/** Ignores case and accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Returns the groups with the pages that match every typed word, without empty groups. Returns all
 * groups when nothing is typed.
 */
export function findPages(groups: readonly PageGroup[], typed: string): readonly PageGroup[] {
  const wanted = fold(typed).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return groups;
  return groups
    .map(group => ({
      ...group,
      pages: group.pages.filter(({ title, words = [] }) => {
        const text = fold([title, ...words].join(' '));
        return wanted.every(word => text.includes(word));
      }),
    }))
    .filter(({ pages }) => pages.length > 0);
}

/**
 * Renders the layout around a page of the security area `/app/security/*` (docs/spec-map.md 2.13).
 */
export function SecurityLayout() {
  return (
    <AreaLayout
      title={t('Security')}
      listLabel={t('All security settings')}
      groups={menuOf('security')}
      parent={{ path: settingsRoot, label: t('Settings') }}
    />
  );
}

/** Renders the layout around a page of the settings `/app/config/*` (docs/spec-map.md 2.11). */
export function SettingsLayout() {
  return (
    <AreaLayout
      title={t('Settings')}
      listLabel={t('All settings')}
      groups={menuOf('settings')}
      root={settingsRoot}
    />
  );
}
