// One recipient in a field: icon, name and colour for the encryption they get; the words are in the tooltip and for readers.
import { KeyRound, Lock, LockOpen, ShieldCheck, TriangleAlert, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { cn } from '../../lib/class-names.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { recipientWords } from './recipient-words.ts';
import type { RecipientState, RecipientView } from './view-model.ts';

const looks: Record<RecipientState, string> = {
  verified: 'border-transparent bg-secure-bg text-secure',
  sealed: 'border-transparent bg-secure-bg text-secure',
  looking_up: 'border-transparent bg-well text-ink-2',
  plain: 'border-warn/35 bg-warn-bg text-warn',
  key_changed: 'border-danger/35 bg-danger-bg text-danger',
  invalid: 'border-transparent bg-well text-danger underline decoration-wavy underline-offset-2',
};

const icons = {
  verified: ShieldCheck,
  sealed: Lock,
  plain: LockOpen,
  key_changed: KeyRound,
  invalid: TriangleAlert,
} as const;

interface RecipientChipProps {
  recipient: RecipientView;
  onRemove: () => void;
  /** Opens verify or accept for a changed key. */
  onReview?: (() => void) | undefined;
}

/** A chip; Delete and Backspace remove it while it has the focus. */
export function RecipientChip({ recipient, onRemove, onReview }: RecipientChipProps) {
  const { name, address, state } = recipient;
  const shown = name || address;
  const words = state === 'invalid' ? recipientWords.invalid : `${address}. ${recipientWords[state]}`;
  const Icon = state === 'looking_up' ? null : icons[state];
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onRemove();
  };
  const content = (
    <>
      {Icon === null ? <Spinner size={13} /> : <Icon aria-hidden size={13} className="shrink-0" />}
      <bdi className="truncate">{shown}</bdi>
      <span className="sr-only">, {recipientWords[state]}</span>
    </>
  );
  return (
    <li
      className={cn(
        'flex h-[26px] max-w-full min-w-0 items-center rounded-full border ps-2 pe-0.5 text-control font-medium pointer-coarse:h-9',
        looks[state],
      )}
    >
      <Tooltip text={words}>
        <button
          type="button"
          onKeyDown={key}
          onClick={onReview}
          aria-disabled={onReview === undefined || undefined}
          className="flex min-w-0 items-center gap-1.5 rounded-full"
        >
          {content}
        </button>
      </Tooltip>
      <button
        type="button"
        aria-label={`Remove ${shown}`}
        onClick={onRemove}
        className="ms-1 grid size-5 shrink-0 place-items-center rounded-full hover:bg-current/10 pointer-coarse:size-8"
      >
        <X size={12} />
      </button>
    </li>
  );
}
