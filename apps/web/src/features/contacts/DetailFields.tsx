// The card of a contact besides name and note: phone numbers, addresses, birthday and company can
// be changed; all other fields are listed and exported unchanged.
import {
  addedLines,
  type CardDetail,
  type DetailKind,
  detailsOf,
  type EditableKind,
  findPicture,
  isEditable,
  withDetails,
} from '@keyfold/mail/card-details';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { t } from '../../lib/language.ts';
import { joinParts } from '../../lib/words.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';

function kindName(kind: EditableKind): string {
  switch (kind) {
    case 'phone':
      return t('Phone');
    case 'address':
      return t('Postal address');
    case 'birthday':
      return t('Birthday');
    case 'company':
      return t('Company');
    case 'title':
      return t('Job title');
    case 'site':
      return t('Website');
  }
}

/** Translates the English labels that programs write; shows the user's own labels as they are. */
function labelWords(label: string): string {
  return joinParts(
    label.split(', ').map(word => {
      switch (word) {
        case 'work':
          return t('work');
        case 'home':
          return t('home');
        case 'cell':
          return t('mobile');
        case 'fax':
          return t('fax');
        default:
          return word;
      }
    }),
  );
}

const kinds: readonly EditableKind[] = ['phone', 'address', 'birthday', 'company', 'title', 'site'];
const once: readonly DetailKind[] = ['birthday', 'company', 'title'];
const MAX_TEXT_CHARACTERS = 1_000;

type Added = { readonly kind: EditableKind; readonly text: string };

/** The lines of a card during editing. */
export type Draft = {
  readonly lines: readonly string[];
  readonly changes: ReadonlyMap<number, string>;
  readonly added: readonly Added[];
};

/** Returns a card without changes. */
export const draftOf = (lines: readonly string[]): Draft => ({ lines, changes: new Map(), added: [] });

/** Returns the lines after editing. */
export const changedLines = ({ lines, changes, added }: Draft): string[] => [
  ...withDetails(lines, changes),
  ...addedLines(added),
];

const isDay = (text: string): boolean => text === '' || /^\d{4}-\d\d-\d\d$/.test(text);

type FieldProps = {
  kind: EditableKind;
  label: string;
  /** The original line, which determines the kind of field. */
  before: string;
  text: string;
  autoFocus?: boolean;
  onChange: (text: string) => void;
};

function DetailField({ kind, label, before, text, autoFocus = false, onChange }: FieldProps) {
  const name = label === '' ? kindName(kind) : `${kindName(kind)} (${labelWords(label)})`;
  const field = { label: name, value: text, maxLength: MAX_TEXT_CHARACTERS, autoFocus, onChange };
  if (kind === 'address')
    return <TextArea {...field} dir="auto" rows={Math.min(8, Math.max(3, text.split('\n').length))} />;
  if (kind === 'birthday') return <TextField {...field} type={isDay(before) ? 'date' : 'text'} />;
  return <TextField {...field} dir="auto" type={kind === 'phone' ? 'tel' : 'text'} />;
}

function Others({ details }: { details: readonly CardDetail[] }) {
  if (details.length === 0) return null;
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-control font-medium">{t('Other details')}</h3>
      <dl className="rounded-card border border-line text-control">
        {details.map(({ at, label, text }) => (
          <div key={at} className="border-b border-line px-3 py-1.5 last:border-b-0">
            <dt className="text-ink-2" dir="auto">
              {labelWords(label)}
            </dt>
            <dd className="line-clamp-3 break-words whitespace-pre-line" dir="auto">
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type DetailFieldsProps = {
  draft: Draft;
  onChange: (change: (before: Draft) => Draft) => void;
};

/** The picture, the fields, and a button for each kind of field that can be added. */
export function DetailFields({ draft, onChange }: DetailFieldsProps) {
  const { lines, changes, added } = draft;
  const details = useMemo(() => detailsOf(lines), [lines]);
  const picture = useMemo(() => findPicture(lines), [lines]);
  const shown = details.filter(({ kind }) => isEditable(kind));
  const has = (kind: EditableKind) =>
    shown.some(one => one.kind === kind) || added.some(one => one.kind === kind);
  return (
    <>
      {picture !== null && (
        <img
          src={picture}
          alt={t('Photo')}
          className="size-20 rounded-card border border-line object-cover"
        />
      )}
      {shown.map(({ at, kind, label, text }) =>
        isEditable(kind) ? (
          <DetailField
            key={at}
            kind={kind}
            label={label}
            before={text}
            text={changes.get(at) ?? text}
            onChange={value => onChange(one => ({ ...one, changes: new Map([...one.changes, [at, value]]) }))}
          />
        ) : null,
      )}
      {added.map(({ kind, text }, index) => (
        <DetailField
          // biome-ignore lint/suspicious/noArrayIndexKey: what is added stays in its place
          key={`new-${index}`}
          autoFocus
          kind={kind}
          label=""
          before=""
          text={text}
          onChange={value =>
            onChange(one => ({ ...one, added: one.added.with(index, { kind, text: value }) }))
          }
        />
      ))}
      <div className="flex flex-wrap gap-1.5">
        {kinds
          .filter(kind => !(once.includes(kind) && has(kind)))
          .map(kind => (
            <Button
              key={kind}
              variant="outline"
              size="sm"
              onClick={() => onChange(one => ({ ...one, added: [...one.added, { kind, text: '' }] }))}
            >
              <Plus size={14} />
              {kindName(kind)}
            </Button>
          ))}
      </div>
      <Others details={details.filter(({ kind }) => kind === 'other')} />
    </>
  );
}
