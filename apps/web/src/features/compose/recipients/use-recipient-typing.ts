// Text input of a recipient field: entries are completed by keys, by pasting and on blur; a chip
// can be turned back into text. Manages the keyboard focus, but not how chips look.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { RecipientView, SuggestionView } from '../draft/view-model.ts';
import { hasRecipient, readRecipients, type TypedRecipient, withPasted } from './recipient-input.ts';

const MAX_SUGGESTIONS = 8;

type TypingNeeds = {
  recipients: readonly RecipientView[];
  onAdd: (typed: readonly TypedRecipient[]) => void;
  onRemove: (index: number) => void;
  suggestionsFor: (text: string) => readonly SuggestionView[];
  finishRef?: Ref<() => boolean>;
};

/**
 * Returns the chip that took the place of the removed one, else the previous one, else the input.
 */
function findNextFocus(list: HTMLElement | null, place: 'text' | number): HTMLElement | null | undefined {
  const field = list?.querySelector('input');
  if (place === 'text') return field;
  const chips = list?.querySelectorAll<HTMLElement>('[aria-haspopup=menu]');
  return chips?.[Math.min(place, chips.length - 1)] ?? field;
}

/**
 * Returns the text of the input with the operations on it; `list` is the element that contains the
 * chips.
 */
export function useRecipientTyping({ recipients, onAdd, onRemove, suggestionsFor, finishRef }: TypingNeeds) {
  const [text, setText] = useState('');
  const list = useRef<HTMLUListElement>(null);
  /** Where the focus moves once the chips are rendered without the removed one. */
  const nextFocus = useRef<'text' | number | null>(null);
  const present = new Set(recipients.map(one => one.address.toLowerCase()));
  const suggestions =
    text.trim() === ''
      ? []
      : suggestionsFor(text.trim())
          .filter(one => one.members !== undefined || !present.has(one.address.toLowerCase()))
          .slice(0, MAX_SUGGESTIONS);
  const add = (typed: readonly TypedRecipient[]) => {
    const fresh = typed.filter(one => !present.has(one.address.toLowerCase()));
    if (fresh.length > 0) onAdd(fresh);
    return fresh.length > 0;
  };
  const finish = () => {
    const hasAdded = add(readRecipients(text));
    setText('');
    return hasAdded;
  };
  useImperativeHandle(finishRef, () => finish);
  const removeChip = (index: number) => {
    nextFocus.current = index;
    onRemove(index);
  };
  const edit = ({ name, address }: RecipientView, index: number) => {
    if (text.trim() !== '') finish();
    nextFocus.current = 'text';
    onRemove(index);
    setText(name === '' || name === address ? address : `${name} <${address}>`);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the chips have changed
  useEffect(() => {
    const place = nextFocus.current;
    nextFocus.current = null;
    if (place === null) return;
    const target = findNextFocus(list.current, place);
    target?.focus();
    if (target instanceof HTMLInputElement) target.select();
  }, [recipients]);
  const onKey = (
    event: KeyboardEvent<HTMLInputElement>,
    hasHighlight: boolean,
    isAllSeen: boolean,
    onShowAll: () => void,
  ) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Backspace' && text === '' && recipients.length > 0) {
      // Never remove a chip that the user cannot see.
      if (!isAllSeen) onShowAll();
      else onRemove(recipients.length - 1);
    }
    // With a highlighted suggestion, the list handles Enter.
    else if (event.key === 'Enter' && text.trim() !== '' && !hasHighlight) {
      event.preventDefault();
      finish();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    const { selectionStart, selectionEnd } = event.target as HTMLInputElement;
    const before = text.slice(0, selectionStart ?? text.length);
    const whole = withPasted(before, pasted, text.slice(selectionEnd ?? text.length));
    // The input itself would join the lines of a pasted text without a separator.
    if (!/[\r\n]/.test(pasted) && !hasRecipient(whole)) return;
    const typed = readRecipients(whole);
    event.preventDefault();
    add(typed);
    setText('');
  };
  return { text, setText, list, suggestions, add, finish, removeChip, edit, onKey, onPaste };
}
