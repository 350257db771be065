// What is typed into a line of recipients: finished by keys, by pasting and by leaving the field; a chip can come back into
// it. Knows how the keyboard goes on, and no chip's looks.
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

/** The chip that took the place of the removed one, else the one before, else the field. */
function findNextFocus(list: HTMLElement | null, place: 'text' | number): HTMLElement | null | undefined {
  const field = list?.querySelector('input');
  if (place === 'text') return field;
  const chips = list?.querySelectorAll<HTMLElement>('[aria-haspopup=menu]');
  return chips?.[Math.min(place, chips.length - 1)] ?? field;
}

/** The text of the field with what can be done to it; `list` is where its chips are drawn. */
export function useRecipientTyping({ recipients, onAdd, onRemove, suggestionsFor, finishRef }: TypingNeeds) {
  const [text, setText] = useState('');
  const list = useRef<HTMLUListElement>(null);
  /** Where the keyboard goes once the chips are drawn without one of them. */
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
      // Nothing goes that is not seen.
      if (!isAllSeen) onShowAll();
      else onRemove(recipients.length - 1);
    }
    // With a highlighted suggestion Enter belongs to the list.
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
    // The field itself would join the lines of a text without a word between them.
    if (!/[\r\n]/.test(pasted) && !hasRecipient(whole)) return;
    const typed = readRecipients(whole);
    event.preventDefault();
    add(typed);
    setText('');
  };
  return { text, setText, list, suggestions, add, finish, removeChip, edit, onKey, onPaste };
}
