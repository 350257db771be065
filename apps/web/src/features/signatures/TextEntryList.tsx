// The list of signatures or templates: each with its name and the beginning of its text, and
// buttons to edit and delete it.
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import { IconButton } from '../../ui/IconButton.tsx';

export type TextEntryView = {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Shown beside the name. */
  readonly badge?: ReactNode;
  /** Shown before the buttons. */
  readonly extra?: ReactNode;
};

type TextEntryListProps = {
  label: string;
  entries: readonly TextEntryView[];
  onChange: (id: string) => void;
  onRemove: (id: string) => void;
};

/** Requires at least one entry. */
export function TextEntryList({ label, entries, onChange, onRemove }: TextEntryListProps) {
  return (
    <ul aria-label={label} className="rounded-card border border-line">
      {entries.map(({ id, name, text, badge, extra }) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 last:border-b-0"
        >
          <div className="min-w-48 flex-1">
            <div className="flex items-center gap-2">
              <span dir="auto" className="min-w-0 truncate font-medium">
                {name}
              </span>
              {badge}
            </div>
            <div dir="auto" className="truncate text-control text-ink-2">
              {text.trim().split('\n').slice(0, 2).join(' · ') || t('No text')}
            </div>
          </div>
          {extra}
          <IconButton label={t('Edit {name}', { name })} onClick={() => onChange(id)}>
            <Pencil size={16} />
          </IconButton>
          <IconButton label={t('Delete {name}', { name })} onClick={() => onRemove(id)}>
            <Trash2 size={16} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
