// The head of the list while nothing is checked: name, count, refresh, filter.
import { Filter, RefreshCw } from 'lucide-react';
import { cn } from '../../lib/class-names.ts';
import { plural } from '../../lib/words.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import type { ListFilter } from './view-model.ts';

const filters: readonly { value: ListFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'starred', label: 'Starred' },
  { value: 'attachment', label: 'Has attachment' },
];

interface ListHeaderProps {
  title: string;
  /** What is counted, in the singular; "conversation" when left out. */
  noun?: string;
  /** null while it is not known. */
  total: number | null;
  filter: ListFilter;
  onFilterChange: (filter: ListFilter) => void;
  isRefreshing: boolean;
  onRefresh: () => void;
  /** Checks all loaded rows; left out when there is nothing to check. */
  onCheckAll?: (() => void) | undefined;
}

/** The normal head; BulkBar takes its place while rows are checked. */
export function ListHeader({
  title,
  noun = 'conversation',
  total,
  filter,
  onFilterChange,
  isRefreshing,
  onRefresh,
  onCheckAll,
}: ListHeaderProps) {
  return (
    <div className="group/head flex h-12 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
      {onCheckAll !== undefined && (
        <span className="not-group-hover/head:not-focus-within:sr-only pointer-coarse:sr-only">
          <Checkbox label="Select all loaded messages" checked={false} onChange={onCheckAll} />
        </span>
      )}
      <h1 className="truncate text-pane font-strong tracking-tight" dir="auto">
        {title}
      </h1>
      {total !== null && (
        <small className="shrink-0 text-meta text-ink-3 tabular-nums">{plural(total, noun)}</small>
      )}
      <span className="flex-1" />
      <IconButton label="Refresh" aria-busy={isRefreshing} onClick={onRefresh}>
        <RefreshCw size={16} className={cn(isRefreshing && 'animate-spin')} />
      </IconButton>
      <Menu
        trigger={
          <IconButton
            tip={false}
            label={filter === 'all' ? 'Filter' : `Filter: ${filters.find(f => f.value === filter)?.label}`}
          >
            <Filter size={16} className={cn(filter !== 'all' && 'fill-selected-strong text-accent-text')} />
          </IconButton>
        }
      >
        {filters.map(({ value, label }) => (
          <MenuItem key={value} checked={value === filter} onSelect={() => onFilterChange(value)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
