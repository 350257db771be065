// Adds tags to messages and removes them: a field that finds, creates and applies tags, and the
// tags with three states (docs/interface.md#tags). Fully operable by keyboard: arrows move, Space
// toggles, Enter applies. Does not load or change messages.
import { Check, Minus, Plus } from 'lucide-react';
import { useId, useRef } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { FloatingPanel } from '../../ui/FloatingPanel.tsx';
import { TagDot } from '../../ui/TagDot.tsx';
import { ColorSwatches } from './ColorSwatches.tsx';
import type { TagState } from './picker-state.ts';
import { useTagPicking } from './use-tag-picking.ts';

export type TagPickerProps = {
  /** Element that the picker opens at. */
  anchor: Element | null;
  /** The messages to change, as far as they are loaded. */
  mails: readonly { readonly tags: readonly string[] }[];
  onApply: (change: { readonly add: readonly string[]; readonly remove: readonly string[] }) => void;
  onClose: () => void;
};

const marks = { all: Check, some: Minus, none: null } as const;
const checkedWords = { all: true, some: 'mixed', none: false } as const;

type TagOptionProps = {
  id: string;
  index: number;
  tag: ReturnType<typeof useTagPicking>['found'][number];
  state: TagState;
  isActive: boolean;
  onPoint: () => void;
  onToggle: () => void;
};

function TagOption({ id, index, tag, state, isActive, onPoint, onToggle }: TagOptionProps) {
  const Mark = marks[state];
  return (
    // The field has the focus and handles the keys; this handles the pointer.
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field
    // biome-ignore lint/a11y/useFocusableInteractive: the field points at it
    <div
      id={id}
      data-at={index}
      role="option"
      aria-selected={isActive}
      aria-checked={checkedWords[state]}
      onPointerMove={onPoint}
      onMouseDown={event => event.preventDefault()}
      onClick={onToggle}
      className="flex min-h-8 cursor-default items-center gap-2.5 rounded-control px-2 select-none aria-selected:bg-hover pointer-coarse:min-h-11"
    >
      <span
        aria-hidden
        className={cn(
          'grid size-4 shrink-0 place-items-center rounded-[4px] border text-on-fill',
          state === 'none' ? 'border-line-strong bg-surface' : 'border-fill bg-fill',
        )}
      >
        {Mark !== null && <Mark size={12} strokeWidth={3} />}
      </span>
      <TagDot color={tag.color} />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {tag.name}
      </span>
    </div>
  );
}

/** Open while mounted. */
export function TagPicker({ anchor, mails, onApply, onClose }: TagPickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const optionId = (index: number) => `${listId}-${index}`;
  const picker = useTagPicking({ mails, onApply, onClose });
  const { list, tags, found, name, isNew, at, isOnCreate, color, states } = picker;
  return (
    <FloatingPanel anchor={anchor} label={t('Tags')} onClose={onClose} initialFocus={input}>
      <input
        ref={input}
        role="combobox"
        aria-label={t('Find or create a tag')}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? optionId(at) : undefined}
        placeholder={t('Find or create a tag')}
        autoComplete="off"
        value={picker.typed}
        onChange={event => {
          picker.type(event.target.value);
        }}
        onKeyDown={picker.onKeyDown}
        className="h-9 w-full rounded-control border border-line-strong bg-surface px-3 text-base outline-none focus-visible:border-accent pointer-coarse:h-11"
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t('Tags')}
        aria-multiselectable
        className="-mx-1 mt-1 max-h-64 overflow-auto p-1"
      >
        {found.map((tag, index) => (
          <TagOption
            key={tag.name}
            id={optionId(index)}
            index={index}
            tag={tag}
            state={picker.stateOf(tag.name)}
            isActive={index === at}
            onPoint={() => picker.setActive(index)}
            onToggle={() => picker.toggle(tag.name)}
          />
        ))}
        {isNew && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field
          // biome-ignore lint/a11y/useFocusableInteractive: the field points at it
          <div
            id={optionId(found.length)}
            data-at={found.length}
            role="option"
            aria-selected={isOnCreate}
            onPointerMove={() => picker.setActive(found.length)}
            onMouseDown={event => event.preventDefault()}
            onClick={picker.create}
            className="flex min-h-8 cursor-default items-center gap-2.5 rounded-control px-2 select-none aria-selected:bg-hover pointer-coarse:min-h-11"
          >
            <Plus aria-hidden size={16} className="shrink-0 text-ink-3" />
            <TagDot color={color} />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {t('Create “{name}”', { name })}
            </span>
          </div>
        )}
      </div>
      {tags.length === 0 && name === '' && (
        <p className="px-2 py-1.5 text-control text-ink-3">{t('No tags yet. Type to create one')}</p>
      )}
      {isNew && (
        <div className="px-2 py-1">
          <ColorSwatches value={color} onChange={picker.setColor} />
        </div>
      )}
      <div className="mt-1 flex justify-end gap-2 border-t border-line px-1 pt-2">
        <Button size="sm" variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button
          size="sm"
          busy={picker.isSaving}
          onClick={() => (isNew && found.length === 0 ? picker.create() : picker.apply(states))}
        >
          {t('Apply')}
        </Button>
      </div>
    </FloatingPanel>
  );
}
