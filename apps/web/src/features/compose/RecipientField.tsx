// A line of recipients: chips, and a field that turns typed or pasted addresses into more of them. Enter, Tab, comma and
// semicolon finish one; Backspace in the empty field takes the last. Suggestions come from whoever knows people.
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import { Avatar } from '../../ui/Avatar.tsx';
import { SuggestInput } from '../../ui/SuggestInput.tsx';
import { RecipientChip } from './RecipientChip.tsx';
import { readRecipients, readTyped, type TypedRecipient } from './recipient-input.ts';
import type { RecipientView, SuggestionView } from './view-model.ts';

export interface RecipientFieldProps {
  label: string;
  inputRef?: Ref<HTMLInputElement>;
  recipients: readonly RecipientView[];
  onAdd: (typed: readonly TypedRecipient[]) => void;
  onRemove: (index: number) => void;
  onReview: (recipient: RecipientView) => void;
  /** People for the text typed so far, best first. */
  suggestionsFor: (text: string) => readonly SuggestionView[];
  isDisabled?: boolean;
  /** "Cc Bcc" at the end of the first line. */
  end?: ReactNode;
}

const maxSuggestions = 8;

/** A labelled list of recipients. */
export function RecipientField(props: RecipientFieldProps) {
  const {
    label,
    inputRef,
    recipients,
    onAdd,
    onRemove,
    onReview,
    suggestionsFor,
    isDisabled = false,
    end,
  } = props;
  const [text, setText] = useState('');
  const present = new Set(recipients.map(one => one.address.toLowerCase()));
  const suggestions =
    text.trim() === ''
      ? []
      : suggestionsFor(text.trim())
          .filter(one => !present.has(one.address.toLowerCase()))
          .slice(0, maxSuggestions);
  const add = (typed: readonly TypedRecipient[]) => {
    const fresh = typed.filter(one => !present.has(one.address.toLowerCase()));
    if (fresh.length > 0) onAdd(fresh);
  };
  const finish = () => {
    add(readRecipients(text));
    setText('');
  };
  const key = (event: KeyboardEvent<HTMLInputElement>, hasHighlight: boolean) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Backspace' && text === '' && recipients.length > 0) onRemove(recipients.length - 1);
    // With a highlighted suggestion Enter belongs to the list.
    else if (event.key === 'Enter' && text.trim() !== '' && !hasHighlight) {
      event.preventDefault();
      finish();
    }
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    const typed = readRecipients(text + pasted);
    if (!typed.some(one => one.isValid)) return;
    event.preventDefault();
    add(typed);
    setText('');
  };
  return (
    <div className="flex min-h-[42px] items-start gap-2.5 border-b border-line px-4 py-[7px]">
      <span
        aria-hidden
        className="w-9 shrink-0 text-control leading-[26px] text-ink-3 pointer-coarse:leading-9"
      >
        {label}
      </span>
      <ul aria-label={label} className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">
        {recipients.map((recipient, index) => (
          <RecipientChip
            key={recipient.address}
            recipient={recipient}
            onRemove={() => onRemove(index)}
            onReview={recipient.state === 'key_changed' ? () => onReview(recipient) : undefined}
          />
        ))}
        <li className={text === '' ? 'min-w-3 flex-1' : 'min-w-32 flex-1'}>
          <SuggestInput
            label={`${label}: add recipient`}
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
            keyOf={one => one.address}
            onPick={one => {
              add([{ ...one, isValid: true }]);
              setText('');
            }}
            renderItem={one => (
              <>
                <Avatar size="sm" name={one.name || one.address} />
                <span className="min-w-0">
                  <bdi className="block truncate text-control font-medium">{one.name || one.address}</bdi>
                  {one.name !== '' && (
                    <bdi className="block truncate text-meta text-ink-3">{one.address}</bdi>
                  )}
                </span>
              </>
            )}
            onKeyDown={key}
            onPaste={paste}
            onBlur={finish}
          />
        </li>
      </ul>
      {end}
    </div>
  );
}
