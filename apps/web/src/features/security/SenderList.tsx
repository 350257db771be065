// A list of always-allowed or blocked senders: add one, paste many, or remove one.
import { SENDERS_MAX } from '@keyfold/contract/limits';
import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { readSenders } from './sender-list.ts';

type SenderListProps = {
  title: string;
  text: string;
  /** Label of the field. */
  addLabel: string;
  senders: readonly string[];
  isBusy: boolean;
  onAdd: (senders: readonly string[]) => void;
  onRemove: (sender: string) => void;
};

/** Number of rows shown before the user expands the list. */
const SHOWN_AT_FIRST = 50;

export function SenderList({ title, text, addLabel, senders, isBusy, onAdd, onRemove }: SenderListProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? senders : senders.slice(0, SHOWN_AT_FIRST);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const { senders: found, unknown } = readSenders(typed);
    const [first] = unknown;
    if (first !== undefined)
      return setProblem(
        t('{text} isn’t an address or domain. Enter domains like this: @example.org', { text: first }),
      );
    if (found.length === 0) return setProblem(t('Enter an address, or a domain such as @example.org'));
    if (new Set([...senders, ...found]).size > SENDERS_MAX)
      return setProblem(t('A list can have up to {count} entries', { count: SENDERS_MAX }));
    onAdd(found);
    setTyped('');
  };
  return (
    <section aria-label={title} className="mt-8">
      <h2 className="text-pane font-semibold">{title}</h2>
      <p className="mb-3 text-control text-ink-2">{text}</p>
      <form noValidate onSubmit={add} className="flex flex-col items-start gap-2 *:w-full">
        <TextArea
          label={addLabel}
          rows={2}
          value={typed}
          error={problem}
          hint={t('One per line. You can paste many at once.')}
          onChange={value => {
            setTyped(value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" size="sm" variant="outline" className="w-auto!">
          <Plus size={15} />
          {t('Add')}
        </Button>
      </form>
      {senders.length === 0 ? (
        <p className="mt-3 text-control text-ink-3">{t('No senders yet')}</p>
      ) : (
        <ul className="mt-3 rounded-card border border-line">
          {shown.map(sender => (
            <li
              key={sender}
              className="flex min-h-10 items-center gap-3 border-b border-line ps-4 pe-2 last:border-b-0"
            >
              <span className="min-w-0 flex-1 break-all">{sender}</span>
              <IconButton
                label={t('Remove {sender}', { sender })}
                disabled={isBusy}
                onClick={() => onRemove(sender)}
              >
                <X size={15} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {shown.length < senders.length && (
        <Button size="sm" variant="quiet" className="mt-2" onClick={() => setShowsAll(true)}>
          {t('Show all {count}', { count: senders.length })}
        </Button>
      )}
    </section>
  );
}
