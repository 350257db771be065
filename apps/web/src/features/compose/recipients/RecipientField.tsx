// A recipient field: chips, and an input that turns typed or pasted addresses into chips. Enter,
// Tab, comma and semicolon complete an entry; Backspace in the empty input removes the last chip.
// Removing a chip moves the focus to its neighbor, editing one moves it to the input. The caller
// provides the suggestions.
import { Users } from 'lucide-react';
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SuggestInput } from '../../../ui/SuggestInput.tsx';
import type { RecipientFieldName, RecipientView, SuggestionView } from '../draft/view-model.ts';
import { chipsShown } from './chips-shown.ts';
import { RecipientChip } from './RecipientChip.tsx';
import { readTyped, type TypedRecipient } from './recipient-input.ts';
import { useRecipientTyping } from './use-recipient-typing.ts';

export type RecipientFieldProps = {
  name: RecipientFieldName;
  label: string;
  inputRef?: Ref<HTMLInputElement>;
  recipients: readonly RecipientView[];
  onAdd: (typed: readonly TypedRecipient[]) => void;
  onRemove: (index: number) => void;
  /** Returns suggestions for the text typed so far, best first. */
  suggestionsFor: (text: string) => readonly SuggestionView[];
  isDisabled?: boolean;
  /** Opens the key comparison for a recipient. */
  onVerify?: ((recipient: RecipientView) => void) | undefined;
  /** Content at the end of the first line: "Cc Bcc". */
  end?: ReactNode;
  /** Completes the entry being typed; returns whether there was one. */
  finishRef?: Ref<() => boolean>;
};

/** One suggestion: a contact, or a contact group. */
function SuggestedPerson({ person }: { person: SuggestionView }) {
  return (
    <>
      {person.members === undefined ? (
        <Avatar size="sm" name={person.name || person.address} />
      ) : (
        <Users aria-hidden size={18} className="text-ink-3" />
      )}
      <span className="min-w-0">
        <bdi className="block truncate text-control font-medium">{person.name || person.address}</bdi>
        {person.members !== undefined && (
          <span className="block truncate text-meta text-ink-3">
            {t('{count, plural, one {Group of # person} other {Group of # people}}', {
              count: person.members.length,
            })}
          </span>
        )}
        {person.name !== '' && person.members === undefined && (
          <bdi className="block truncate text-meta text-ink-3">{person.address}</bdi>
        )}
      </span>
    </>
  );
}

type ChipActs = Pick<RecipientFieldProps, 'onVerify'> & {
  readonly removeChip: (index: number) => void;
  readonly edit: (recipient: RecipientView, index: number) => void;
};

/** Renders the chips; their callbacks are always the latest. */
function useChips(shown: ReturnType<typeof chipsShown>, acts: ChipActs, isDisabled: boolean) {
  const latest = useRef(acts);
  latest.current = acts;
  const hasVerify = acts.onVerify !== undefined;
  // Keeps the elements stable while the user types: rendering hundreds of chips takes longer than
  // the pause between two keystrokes.
  return useMemo(
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
}

/** A labeled list of recipients. */
export function RecipientField(props: RecipientFieldProps) {
  const { name, label, inputRef, recipients, isDisabled = false, end, onVerify } = props;
  const typing = useRecipientTyping(props);
  const { text, setText, list, add, finish, removeChip, edit } = typing;
  const [showsAll, setShowsAll] = useState(false);
  const shown = useMemo(() => chipsShown(recipients, showsAll), [recipients, showsAll]);
  const isAllSeen = shown.length === recipients.length;
  const chips = useChips(shown, { removeChip, edit, onVerify }, isDisabled);
  return (
    <div
      data-field={name}
      className="flex min-h-[42px] shrink-0 items-start gap-2.5 border-b border-line px-4 py-[7px]"
    >
      <span
        aria-hidden
        className="w-9 shrink-0 text-control leading-[26px] text-ink-3 pointer-coarse:leading-9"
      >
        {label}
      </span>
      {/* A long list scrolls; the padding leaves space for the focus ring. */}
      <ul
        ref={list}
        aria-label={label}
        className="-m-0.5 flex max-h-28 min-w-0 flex-1 flex-wrap items-center gap-1.5 overflow-y-auto p-0.5 pointer-coarse:-my-1 pointer-coarse:max-h-36 pointer-coarse:gap-2 pointer-coarse:py-1"
      >
        {chips}
        {!isAllSeen && (
          <li>
            <Button variant="quiet" size="xs" onClick={() => setShowsAll(true)}>
              {t('Show all {count}', { count: recipients.length })}
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
            items={typing.suggestions}
            keyOf={one => one.address || one.name}
            onPick={one => {
              add((one.members ?? [one]).map(({ name, address }) => ({ name, address, isValid: true })));
              setText('');
            }}
            renderItem={one => <SuggestedPerson person={one} />}
            onKeyDown={(event, hasHighlight) =>
              typing.onKey(event, hasHighlight, isAllSeen, () => setShowsAll(true))
            }
            onPaste={typing.onPaste}
            onBlur={() => finish()}
          />
        </li>
      </ul>
      {end}
    </div>
  );
}
