// The list header while no row is selected: name, count, refresh, filter.
import { Filter, RefreshCw } from 'lucide-react';
import { cn } from '../../../lib/class-names.ts';
import { t, term } from '../../../lib/language.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import type { ListFilter } from '../state/view-model.ts';

const filters: readonly { value: ListFilter; label: string }[] = [
  { value: 'all', label: term('All') },
  { value: 'unread', label: term('Unread') },
  { value: 'starred', label: term('Starred') },
  { value: 'attachment', label: term('Has attachment') },
];

type ListHeaderProps = {
  title: string;
  /** Number of entries, as in "3 conversations"; null while unknown. */
  counted: string | null;
  /** The sidebar badge, in the same words, when it counts something else; null for none. */
  badge: string | null;
  filter: ListFilter;
  onFilterChange: (filter: ListFilter) => void;
  isRefreshing: boolean;
  onRefresh: () => void;
  /** Selects all loaded rows; absent when there are none. */
  onCheckAll?: (() => void) | undefined;
};

/** The normal header. BulkBar replaces it while rows are selected. */
export function ListHeader({
  title,
  counted,
  badge,
  filter,
  onFilterChange,
  isRefreshing,
  onRefresh,
  onCheckAll,
}: ListHeaderProps) {
  return (
    <div className="group/head flex h-12 short:h-10 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
      {onCheckAll !== undefined && (
        <span className="not-group-hover/head:not-focus-within:sr-only pointer-coarse:sr-only">
          <Checkbox label={t('Select all loaded messages')} checked={false} onChange={onCheckAll} />
        </span>
      )}
      <h1 className="truncate text-pane font-strong tracking-tight" dir="auto">
        {title}
      </h1>
      {/* The badge has priority when there is no space for both. Both shrink before the title. */}
      <div className="flex h-5 min-w-min shrink-1000 flex-wrap items-center gap-x-2 overflow-hidden text-meta whitespace-nowrap text-ink-3 tabular-nums">
        {badge !== null && <span className="text-accent-text">{badge}</span>}
        {counted !== null && <span>{counted}</span>}
      </div>
      <span className="flex-1" />
      <IconButton label={t('Refresh')} aria-busy={isRefreshing} onClick={onRefresh}>
        <RefreshCw size={16} className={cn(isRefreshing && 'animate-spin')} />
      </IconButton>
      <Menu
        trigger={
          <IconButton
            tip={false}
            label={
              filter === 'all'
                ? t('Filter')
                : t('Filter: {name}', { name: t(filters.find(one => one.value === filter)?.label ?? '') })
            }
          >
            <Filter size={16} className={cn(filter !== 'all' && 'fill-selected-strong text-accent-text')} />
          </IconButton>
        }
      >
        {filters.map(({ value, label }) => (
          <MenuItem key={value} checked={value === filter} onSelect={() => onFilterChange(value)}>
            {t(label)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
