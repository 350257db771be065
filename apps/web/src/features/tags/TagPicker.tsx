// Gives tags to mails and takes them away: a field that finds, makes and applies, and the tags with three states
// (docs/interface.md#tags). Everything can be done with the keyboard: arrows move, Space ticks, Enter applies. Knows no mail.
import type { TagColor } from '@keyfold/contract/limits';
import { Check, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Button } from '../../ui/Button.tsx';
import { FloatingPanel } from '../../ui/FloatingPanel.tsx';
import { TagDot } from '../../ui/TagDot.tsx';
import { showToast } from '../../ui/toasts.ts';
import { ColorSwatches } from './ColorSwatches.tsx';
import { freeColor } from './colors.ts';
import { useSaveTag } from './mutations.ts';
import { canCreate, changesOf, matchingTags, pressed, type TagState, tagStates } from './picker-state.ts';

export type TagPickerProps = {
  /** Where it opens. */
  anchor: Element | null;
  /** The mails that are meant, as far as they are loaded. */
  mails: readonly { readonly tags: readonly string[] }[];
  onApply: (change: { readonly add: readonly string[]; readonly remove: readonly string[] }) => void;
  onClose: () => void;
};

const marks = { all: Check, some: Minus, none: null } as const;
const checkedWords = { all: true, some: 'mixed', none: false } as const;

/** Open while mounted. */
export function TagPicker({ anchor, mails, onApply, onClose }: TagPickerProps) {
  const tags = useUser()?.tags ?? [];
  const [before] = useState(() => tagStates(mails));
  const [states, setStates] = useState<ReadonlyMap<string, TagState>>(before);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(-1);
  const [color, setColor] = useState<TagColor>(() => freeColor(tags));
  const save = useSaveTag();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const found = matchingTags(tags, typed);
  const name = typed.trim();
  const isNew = canCreate(tags, typed);
  const last = found.length - 1 + (isNew ? 1 : 0);
  // Typing puts the first of what was found under Enter; without a word nothing is.
  const at = Math.min(name === '' ? active : Math.max(0, active), last);
  const isOnCreate = isNew && at === found.length;
  const optionId = (index: number) => `${listId}-${index}`;
  const stateOf = (tag: string, of = states): TagState => of.get(tag) ?? 'none';
  const toggle = (tag: string): ReadonlyMap<string, TagState> => {
    const next = new Map(states).set(tag, pressed(stateOf(tag)));
    setStates(next);
    return next;
  };
  const apply = (next: ReadonlyMap<string, TagState>) => {
    const change = changesOf(before, next);
    onClose();
    if (change.add.length > 0 || change.remove.length > 0) onApply(change);
  };
  const create = () => {
    save.mutate(
      { name, color },
      {
        onSuccess: tag => apply(new Map(states).set(tag.name, 'all')),
        onError: error => showToast({ tone: 'danger', text: callErrorText(error) }),
      },
    );
  };
  const move = (step: 1 | -1) => {
    const next = last < 0 ? -1 : (at + step + last + 2) % (last + 2);
    // One place past the end is the field itself.
    const index = next > last ? (step === 1 ? 0 : last) : next;
    setActive(index);
    list.current?.querySelector(`[data-at="${index}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const enter = () => {
    const tag = found[at];
    if (isOnCreate) create();
    else if (tag !== undefined && stateOf(tag.name) === stateOf(tag.name, before)) apply(toggle(tag.name));
    else apply(states);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const tag = found[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Enter') enter();
    else if (event.key === ' ' && active >= 0 && tag !== undefined) toggle(tag.name);
    else return;
    event.preventDefault();
  };
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
        value={typed}
        onChange={event => {
          setTyped(event.target.value);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
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
        {found.map((tag, index) => {
          const state = stateOf(tag.name);
          const Mark = marks[state];
          return (
            // The field has the focus and the keys; the pointer is served here.
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field
            // biome-ignore lint/a11y/useFocusableInteractive: the field points at it
            <div
              key={tag.name}
              id={optionId(index)}
              data-at={index}
              role="option"
              aria-selected={index === at}
              aria-checked={checkedWords[state]}
              onPointerMove={() => setActive(index)}
              onMouseDown={event => event.preventDefault()}
              onClick={() => toggle(tag.name)}
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
        })}
        {isNew && (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field
          // biome-ignore lint/a11y/useFocusableInteractive: the field points at it
          <div
            id={optionId(found.length)}
            data-at={found.length}
            role="option"
            aria-selected={isOnCreate}
            onPointerMove={() => setActive(found.length)}
            onMouseDown={event => event.preventDefault()}
            onClick={create}
            className="flex min-h-8 cursor-default items-center gap-2.5 rounded-control px-2 select-none aria-selected:bg-hover pointer-coarse:min-h-11"
          >
            <Plus aria-hidden size={16} className="shrink-0 text-ink-3" />
            <TagDot color={color} />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {t("Create '{name}'", { name })}
            </span>
          </div>
        )}
      </div>
      {tags.length === 0 && name === '' && (
        <p className="px-2 py-1.5 text-control text-ink-3">{t('No tags yet. Type to create one')}</p>
      )}
      {isNew && (
        <div className="px-2 py-1">
          <ColorSwatches value={color} onChange={setColor} />
        </div>
      )}
      <div className="mt-1 flex justify-end gap-2 border-t border-line px-1 pt-2">
        <Button size="sm" variant="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button
          size="sm"
          busy={save.isPending}
          onClick={() => (isNew && found.length === 0 ? create() : apply(states))}
        >
          {t('Apply')}
        </Button>
      </div>
    </FloatingPanel>
  );
}
