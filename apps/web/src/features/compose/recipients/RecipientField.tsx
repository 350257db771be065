// A line of recipients: chips, and a field that turns typed or pasted addresses into more of them. Enter, Tab, comma and
// semicolon finish one; Backspace in the empty field takes the last. A chip that goes hands the keyboard to its neighbour,
// one that is edited to the field. Suggestions come from whoever knows people.
import { Users } from 'lucide-react';
import { type ReactNode, type Ref, useMemo, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SuggestInput } from '../../../ui/SuggestInput.tsx';
import type { RecipientView, SuggestionView } from '../draft/view-model.ts';
import { chipsShown } from './chips-shown.ts';
import { RecipientChip } from './RecipientChip.tsx';
import { readTyped, type TypedRecipient } from './recipient-input.ts';
import { useRecipientTyping } from './use-recipient-typing.ts';

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

/** One suggestion: a person, or a group of people. */
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

/** The chips; what they do is always the latest. */
function useChips(shown: ReturnType<typeof chipsShown>, acts: ChipActs, isDisabled: boolean) {
  const latest = useRef(acts);
  latest.current = acts;
  const hasVerify = acts.onVerify !== undefined;
  // The same elements while somebody types: hundreds of chips take longer to draw than the pause between two keys.
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

/** A labelled list of recipients. */
export function RecipientField(props: RecipientFieldProps) {
  const { label, inputRef, recipients, isDisabled = false, end, onVerify } = props;
  const typing = useRecipientTyping(props);
  const { text, setText, list, add, finish, removeChip, edit } = typing;
  const [showsAll, setShowsAll] = useState(false);
  const shown = useMemo(() => chipsShown(recipients, showsAll), [recipients, showsAll]);
  const isAllSeen = shown.length === recipients.length;
  const chips = useChips(shown, { removeChip, edit, onVerify }, isDisabled);
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
        {!isAllSeen && (
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
