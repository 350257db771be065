// Buttons for the pages of a list: at most five numbers, and one step in either direction.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';
import { IconButton } from './IconButton.tsx';

type PaginationProps = {
  /** Page number, from 1. */
  page: number;
  pages: number;
  onChange: (page: number) => void;
};

export function Pagination({ page, pages, onChange }: PaginationProps) {
  return (
    <nav aria-label={t('Pages')} className="flex items-center justify-center gap-1">
      <IconButton label={t('Previous page')} disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <ChevronLeft size={16} className="rtl:-scale-x-100" />
      </IconButton>
      {pageNumbers(page, pages).map(number => (
        <button
          key={number}
          type="button"
          aria-label={t('Page {number}', { number })}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onChange(number)}
          className={cn(
            'size-8 rounded-control text-control tabular-nums pointer-coarse:size-11',
            number === page
              ? 'bg-fill font-semibold text-on-fill'
              : 'text-ink-2 hover:bg-hover hover:text-ink',
          )}
        >
          {number}
        </button>
      ))}
      <IconButton label={t('Next page')} disabled={page >= pages} onClick={() => onChange(page + 1)}>
        <ChevronRight size={16} className="rtl:-scale-x-100" />
      </IconButton>
    </nav>
  );
}

const SHOWN_MAX = 5;

/** Returns up to five page numbers around the page, from 1 to `pages`. */
export function pageNumbers(page: number, pages: number): number[] {
  const count = Math.min(SHOWN_MAX, Math.max(1, pages));
  const first = Math.min(Math.max(1, page - Math.floor(SHOWN_MAX / 2)), Math.max(1, pages - count + 1));
  return Array.from({ length: count }, (_, index) => first + index);
}
