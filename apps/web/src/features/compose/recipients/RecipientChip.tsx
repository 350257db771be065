// One recipient in a field: icon, name and color show the encryption; the tooltip and screen
// readers get the text. Its menu copies the address, turns the chip back into text, or removes it.
import {
  Copy,
  KeyRound,
  Lock,
  LockOpen,
  Pencil,
  ShieldAlert,
  ShieldCheck,
  TriangleAlert,
  UserX,
  X,
} from 'lucide-react';
import type { ComponentProps, KeyboardEvent } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { needsReview } from '../../../session/trust/pins.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { MenuItem } from '../../../ui/MenuItem.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { showToast } from '../../../ui/toasts.ts';
import type { RecipientState, RecipientView } from '../draft/view-model.ts';
import { recipientWords } from './recipient-words.ts';

type RecipientChipButtonProps = ComponentProps<'button'> & {
  /** The tooltip. */
  words: string;
  onRemove: () => void;
};

/** A Menu trigger: forwards the props that the menu passes. */
function RecipientChipButton({ words, onRemove, onKeyDown, ...rest }: RecipientChipButtonProps) {
  const key = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return onKeyDown?.(event);
    event.preventDefault();
    onRemove();
  };
  return (
    <Tooltip text={words}>
      <button
        {...rest}
        type="button"
        onKeyDown={key}
        className="relative flex min-w-0 items-center gap-1.5 rounded-full pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3"
      />
    </Tooltip>
  );
}

const looks: Record<RecipientState, string> = {
  verified: 'border-transparent bg-secure-bg text-secure',
  sealed: 'border-transparent bg-secure-bg text-secure',
  looking_up: 'border-transparent bg-well text-ink-2',
  plain: 'border-warn/35 bg-warn-bg text-warn',
  key_changed: 'border-danger/35 bg-danger-bg text-danger',
  mismatch: 'border-danger/35 bg-danger-bg text-danger',
  unknown: 'border-danger/35 bg-danger-bg text-danger',
  invalid: 'border-transparent bg-well text-danger underline decoration-wavy underline-offset-2',
};

const icons = {
  verified: ShieldCheck,
  sealed: Lock,
  plain: LockOpen,
  key_changed: KeyRound,
  mismatch: ShieldAlert,
  unknown: UserX,
  invalid: TriangleAlert,
} as const;

const verifiable: ReadonlySet<RecipientState> = new Set(['verified', 'sealed', 'key_changed', 'mismatch']);

type RecipientChipProps = {
  recipient: RecipientView;
  isDisabled: boolean;
  onRemove: () => void;
  /** Turns the chip back into text. */
  onEdit: () => void;
  /** Opens the key comparison. */
  onVerify?: (() => void) | undefined;
};

function copy(address: string): void {
  navigator.clipboard?.writeText(address).then(
    () => showToast({ tone: 'success', text: t('Copied') }),
    () => showToast({ tone: 'danger', text: t('Something failed') }),
  );
}

export function RecipientChip({ recipient, isDisabled, onRemove, onEdit, onVerify }: RecipientChipProps) {
  const { name, address, state } = recipient;
  const shown = name || address;
  const words =
    state === 'invalid'
      ? t(recipientWords.invalid)
      : t('{what}. {more}', { what: address, more: t(recipientWords[state]) });
  const Icon = state === 'looking_up' ? null : icons[state];
  const remove = () => !isDisabled && onRemove();
  return (
    <li
      className={cn(
        // A long chip leaves space for the caret beside it; otherwise an empty line would follow.
        'flex h-[26px] max-w-[calc(100%-20px)] min-w-0 items-center rounded-full border ps-2 pe-0.5 text-control font-medium pointer-coarse:h-9',
        looks[state],
      )}
    >
      <Menu
        align="start"
        trigger={
          <RecipientChipButton words={words} onRemove={remove}>
            {Icon === null ? <Spinner size={13} /> : <Icon aria-hidden size={13} className="shrink-0" />}
            <bdi className="truncate">{shown}</bdi>
            <span className="sr-only">
              {t(', ')}
              {t(recipientWords[state])}
            </span>
          </RecipientChipButton>
        }
      >
        <MenuItem icon={<Copy size={16} />} onSelect={() => copy(address)}>
          {t('Copy address')}
        </MenuItem>
        {onVerify !== undefined && verifiable.has(state) && (
          <MenuItem icon={<ShieldCheck size={16} />} onSelect={onVerify}>
            {needsReview(state) ? t('Review key') : t('Verify')}
          </MenuItem>
        )}
        <MenuItem icon={<Pencil size={16} />} disabled={isDisabled} onSelect={onEdit}>
          {t('Edit')}
        </MenuItem>
        <MenuItem icon={<X size={16} />} disabled={isDisabled} onSelect={remove}>
          {t('Remove')}
        </MenuItem>
      </Menu>
      <button
        type="button"
        aria-label={t('Remove {name}', { name: shown })}
        disabled={isDisabled}
        onClick={remove}
        className="ms-1 grid size-5 shrink-0 place-items-center rounded-full hover:bg-current/10 pointer-coarse:relative pointer-coarse:size-9 pointer-coarse:after:absolute pointer-coarse:after:-inset-1"
      >
        <X size={12} />
      </button>
    </li>
  );
}
