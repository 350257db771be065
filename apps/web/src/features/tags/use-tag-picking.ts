// State of the tag picker: the states of the tags, the text typed to find or create one, and the
// keys.
import type { TagColor } from '@keyfold/contract/limits';
import { type KeyboardEvent, useRef, useState } from 'react';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useUser } from '../../session/state/current-user.ts';
import { showToast } from '../../ui/toasts.ts';
import { freeColor } from './colors.ts';
import { useSaveTag } from './mutations.ts';
import { canCreate, changesOf, matchingTags, pressed, type TagState, tagStates } from './picker-state.ts';
import type { TagPickerProps } from './TagPicker.tsx';

/** Provides the picker's state and its handlers; `list` is the element that contains the tags. */
export function useTagPicking({ mails, onApply, onClose }: Omit<TagPickerProps, 'anchor'>) {
  const tags = useUser()?.tags ?? [];
  const [before] = useState(() => tagStates(mails));
  const [states, setStates] = useState<ReadonlyMap<string, TagState>>(before);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(-1);
  const [color, setColor] = useState<TagColor>(() => freeColor(tags));
  const save = useSaveTag();
  const list = useRef<HTMLDivElement>(null);
  const found = matchingTags(tags, typed);
  const name = typed.trim();
  const isNew = canCreate(tags, typed);
  const last = found.length - 1 + (isNew ? 1 : 0);
  // Typing makes Enter apply to the first match. Without text, no tag is active.
  const at = Math.min(name === '' ? active : Math.max(0, active), last);
  const isOnCreate = isNew && at === found.length;
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
    // The position after the last one is the field itself.
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
  return {
    list,
    tags,
    found,
    typed,
    name,
    isNew,
    at,
    isOnCreate,
    color,
    setColor,
    states,
    stateOf,
    isSaving: save.isPending,
    type: (text: string) => {
      setTyped(text);
      setActive(-1);
    },
    setActive,
    toggle,
    create,
    apply,
    onKeyDown,
  };
}
