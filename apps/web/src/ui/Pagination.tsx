// Buttons that lead through the pages of a list: at most five numbers, and one step to either side.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';
import { IconButton } from './IconButton.tsx';
import { pageNumbers } from './page-numbers.ts';

type PaginationProps = {
  /** From 1. */
  page: number;
  pages: number;
  onChange: (page: number) => void;
};

/** The row of buttons. */
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
