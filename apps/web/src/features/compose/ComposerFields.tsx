/**
 * The parts of a message other than its text: the recipient fields with their warnings, and the
 * subject.
 */
import { UserX } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { sentenceGap, t, term } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import type { ComposerActions } from './Composer.tsx';
import type { RecipientFieldName, Recipients, RecipientView } from './draft/view-model.ts';
import { KeyChangeStrip } from './recipients/KeyChangeStrip.tsx';
import { RecipientField, type RecipientFieldProps } from './recipients/RecipientField.tsx';
import type { RecipientSummary } from './recipients/recipient-words.ts';
import { PlainWarning } from './sending/PlainWarning.tsx';

/** The red strip under the recipients; renders nothing while every address may exist. */
function UnknownStrip({ people }: { people: readonly RecipientView[] }) {
  const unknown = people.filter(({ state }) => state === 'unknown');
  if (unknown.length === 0) return null;
  return (
    <div role="alert" className="shrink-0 bg-danger-bg px-4 py-2 text-control leading-[18px] text-danger">
      {unknown.map(({ address }) => (
        <div key={address} className="flex items-start gap-2.5">
          <UserX aria-hidden size={16} className="mt-px shrink-0" />
          <span className="min-w-0 break-words">
            <b className="font-strong">{t('The address {address} doesn’t exist.', { address })}</b>
            {sentenceGap()}
            {t('Correct or remove it before you send.')}
          </span>
        </div>
      ))}
    </div>
  );
}

type ComposerFieldsProps = {
  recipients: Recipients;
  summary: RecipientSummary;
  showsCcBcc: boolean;
  subject: string;
  isReadOnly: boolean;
  suggestionsFor: RecipientFieldProps['suggestionsFor'];
  /** The sender field. */
  from: ReactNode;
  toInput: RefObject<HTMLInputElement | null>;
  /** Ref to the function that completes the entry being typed into a field. */
  noteField: (name: RecipientFieldName) => NonNullable<RecipientFieldProps['finishRef']>;
  actions: ComposerActions;
};

const fields: readonly { name: RecipientFieldName; label: string }[] = [
  { name: 'to', label: term('To') },
  { name: 'cc', label: term('Cc') },
  { name: 'bcc', label: term('Bcc') },
];

/** The fields above the text. */
export function ComposerFields(props: ComposerFieldsProps) {
  const { recipients, summary, showsCcBcc, isReadOnly, toInput, noteField, actions } = props;
  const everybody = [...recipients.to, ...recipients.cc, ...recipients.bcc];
  return (
    <>
      {props.from}
      {fields.map(
        ({ name, label }) =>
          (name === 'to' || showsCcBcc || recipients[name].length > 0) && (
            <RecipientField
              key={name}
              name={name}
              label={t(label)}
              {...(name === 'to' ? { inputRef: toInput } : {})}
              finishRef={noteField(name)}
              recipients={recipients[name]}
              onAdd={typed => actions.onRecipientsAdd(name, typed)}
              onRemove={index => actions.onRecipientRemove(name, index)}
              suggestionsFor={props.suggestionsFor}
              onVerify={actions.onVerify}
              isDisabled={isReadOnly}
              end={
                name === 'to' &&
                !showsCcBcc && (
                  <Button variant="quiet" size="xs" onClick={actions.onShowCcBcc}>
                    {t('Cc Bcc')}
                  </Button>
                )
              }
            />
          ),
      )}
      <KeyChangeStrip people={everybody} onReview={actions.onVerify} />
      <UnknownStrip people={everybody} />
      <PlainWarning summary={summary} onSendTwoCopies={actions.onSendTwoCopies} />
      <input
        aria-label={t('Subject')}
        placeholder={t('Subject')}
        dir="auto"
        value={props.subject}
        readOnly={isReadOnly}
        onChange={event => actions.onSubjectChange(event.target.value)}
        className="h-[42px] shrink-0 border-b border-line bg-transparent px-4 -outline-offset-2"
      />
    </>
  );
}
