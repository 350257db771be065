// A line of recipients: chips, and a field that turns typed or pasted addresses into more of them. Enter, Tab, comma and
// semicolon finish one; Backspace in the empty field takes the last. A chip that goes hands the keyboard to its neighbour,
// one that is edited to the field. Suggestions come from whoever knows people.
import { Users } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../../../lib/language.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SuggestInput } from '../../../ui/SuggestInput.tsx';
import type { RecipientView, SuggestionView } from '../draft/view-model.ts';
import { chipsShown } from './chips-shown.ts';
import { RecipientChip } from './RecipientChip.tsx';
import {
  hasRecipient,
  readRecipients,
  readTyped,
  type TypedRecipient,
  withPasted,
} from './recipient-input.ts';

export type RecipientFieldProps = {
  label: string;
  inputRef?: Ref<HTMLInputElement>;
  recipients: readonly RecipientView[];
  onAdd: (typed: readonly TypedRecipient[]) => void;
  onRemove: (index: number) => void;
  /** People for the text typed so far, best first. */
  suggestionsFor: (text: string) => readonly SuggestionView[];
  isDisabled?: boolean;
  /** Opens what compares the keys of one of them. */
  onVerify?: ((recipient: RecipientView) => void) | undefined;
  /** "Cc Bcc" at the end of the first line. */
  end?: ReactNode;
  /** Takes what is still being typed as finished; whether there was something. */
  finishRef?: Ref<() => boolean>;
};

const MAX_SUGGESTIONS = 8;

/** A labelled list of recipients. */
export function RecipientField(props: RecipientFieldProps) {
  const { label, inputRef, recipients, onAdd, onRemove, suggestionsFor, isDisabled = false } = props;
  const { end, onVerify, finishRef } = props;
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
  /** The chip that took the place of the removed one, else the one before, else the field. */
  const findNextFocus = (place: 'text' | number): HTMLElement | null | undefined => {
    const field = list.current?.querySelector('input');
    if (place === 'text') return field;
    const chips = list.current?.querySelectorAll<HTMLElement>('[aria-haspopup=menu]');
    return chips?.[Math.min(place, chips.length - 1)] ?? field;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the chips have changed
  useEffect(() => {
    const place = nextFocus.current;
    nextFocus.current = null;
    if (place === null) return;
    const target = findNextFocus(place);
    target?.focus();
    if (target instanceof HTMLInputElement) target.select();
  }, [recipients]);
  const [showsAll, setShowsAll] = useState(false);
  const latest = useRef({ removeChip, edit, onVerify });
  latest.current = { removeChip, edit, onVerify };
  const hasVerify = onVerify !== undefined;
  const shown = useMemo(() => chipsShown(recipients, showsAll), [recipients, showsAll]);
  // The same elements while somebody types: hundreds of chips take longer to draw than the pause between two keys.
  const chips = useMemo(
    () =>
      shown.map(({ recipient, index }) => (
        <RecipientChip
          key={recipient.address}
          recipient={recipient}
          onRemove={() => latest.current.removeChip(index)}
          isDisabled={isDisabled}
          onEdit={() => latest.current.edit(recipient, index)}
          onVerify={hasVerify ? () => latest.current.onVerify?.(recipient) : undefined}
        />
      )),
    [shown, isDisabled, hasVerify],
  );
  const key = (event: KeyboardEvent<HTMLInputElement>, hasHighlight: boolean) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Backspace' && text === '' && recipients.length > 0) {
      // Nothing goes that is not seen.
      if (shown.length < recipients.length) setShowsAll(true);
      else onRemove(recipients.length - 1);
    }
    // With a highlighted suggestion Enter belongs to the list.
    else if (event.key === 'Enter' && text.trim() !== '' && !hasHighlight) {
      event.preventDefault();
      finish();
    }
  };
  const paste = (event: ClipboardEvent) => {
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
  return (
    <div
      data-field={label}
      className="flex min-h-[42px] shrink-0 items-start gap-2.5 border-b border-line px-4 py-[7px]"
    >
      <span
        aria-hidden
        className="w-9 shrink-0 text-control leading-[26px] text-ink-3 pointer-coarse:leading-9"
      >
        {label}
      </span>
      {/* Many people scroll; the padding is for the ring of the focus. */}
      <ul
        ref={list}
        aria-label={label}
        className="-m-0.5 flex max-h-28 min-w-0 flex-1 flex-wrap items-center gap-1.5 overflow-y-auto p-0.5 pointer-coarse:-my-1 pointer-coarse:max-h-36 pointer-coarse:gap-2 pointer-coarse:py-1"
      >
        {chips}
        {shown.length < recipients.length && (
          <li>
            <Button variant="quiet" size="xs" onClick={() => setShowsAll(true)}>
              {t('All {count}', { count: recipients.length })}
            </Button>
          </li>
        )}
        <li className={text === '' ? 'min-w-3 flex-1' : 'min-w-32 flex-1'}>
          <SuggestInput
            label={t('{field}: add recipient', { field: label })}
            inputRef={inputRef}
            inputMode="email"
            disabled={isDisabled}
            text={text}
            onTextChange={next => {
              const typed = readTyped(next);
              add(typed.recipients);
              setText(typed.rest);
            }}
            items={suggestions}
            keyOf={one => one.address || one.name}
            onPick={one => {
              add((one.members ?? [one]).map(({ name, address }) => ({ name, address, isValid: true })));
              setText('');
            }}
            renderItem={one => (
              <>
                {one.members === undefined ? (
                  <Avatar size="sm" name={one.name || one.address} />
                ) : (
                  <Users aria-hidden size={18} className="text-ink-3" />
                )}
                <span className="min-w-0">
                  <bdi className="block truncate text-control font-medium">{one.name || one.address}</bdi>
                  {one.members !== undefined && (
                    <span className="block truncate text-meta text-ink-3">
                      {t('{count, plural, one {Group of # person} other {Group of # people}}', {
                        count: one.members.length,
                      })}
                    </span>
                  )}
                  {one.name !== '' && one.members === undefined && (
                    <bdi className="block truncate text-meta text-ink-3">{one.address}</bdi>
                  )}
                </span>
              </>
            )}
            onKeyDown={key}
            onPaste={paste}
            onBlur={() => finish()}
          />
        </li>
      </ul>
      {end}
    </div>
  );
}
