// The header of a composer: subject, save state and window buttons; on a phone also Attach and
// Send, because the keyboard covers the footer.

import { Maximize2, Minimize2, Minus, Paperclip, X } from 'lucide-react';
import { cn } from '../../lib/class-names.ts';
import { t, tAs } from '../../lib/language.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { DraftState } from './draft/DraftState.tsx';
import type { DraftView } from './draft/view-model.ts';
import { SendButton, type SendButtonProps } from './sending/SendButton.tsx';
import type { ComposerMode } from './windows/composer-list.ts';

const resizeLabels: Record<Exclude<ComposerMode, 'phone'>, () => string> = {
  docked: () => t('Full screen'),
  full: () => t('Exit full screen'),
  minimized: () => tAs('composer', 'Restore'),
  inline: () => t('Pop out'),
};

type ComposerHeadProps = SendButtonProps & {
  mode: ComposerMode;
  title: string;
  draft: DraftView;
  onRetrySave: () => void;
  onModeChange: (mode: ComposerMode) => void;
  onClose: () => void;
  onAttach: () => void;
};

/** 44 px high; a minimized composer consists only of this header. */
export function ComposerHead(props: ComposerHeadProps) {
  const { mode, title, draft, onRetrySave, onModeChange, onClose, onAttach } = props;
  const isMinimized = mode === 'minimized';
  const restore = () => onModeChange('docked');
  if (mode === 'phone') {
    return (
      <div className="flex min-h-14 shrink-0 items-center gap-1 border-b border-line ps-1.5 pe-4">
        <IconButton tip={false} size="touch" label={t('Save and close')} onClick={onClose}>
          <X size={19} />
        </IconButton>
        <div className="flex min-w-0 flex-1 flex-col">
          {/* The state takes the title's place: beside a long Send button both would be cut. */}
          <h2 className={cn('truncate font-semibold', draft.kind !== 'none' && 'sr-only')} dir="auto">
            {title}
          </h2>
          <DraftState draft={draft} onRetry={onRetrySave} />
        </div>
        <IconButton
          tip={false}
          size="touch"
          label={t('Attach')}
          disabled={props.phase === 'readOnly'}
          onClick={onAttach}
        >
          <Paperclip size={19} />
        </IconButton>
        <SendButton {...props} />
      </div>
    );
  }
  return (
    <div
      className={cn(
        'flex h-11 shrink-0 items-center gap-1.5 border-line ps-4 pe-2',
        !isMinimized && 'border-b',
      )}
    >
      {isMinimized ? (
        <button
          type="button"
          onClick={restore}
          className="min-w-0 flex-1 truncate text-start font-semibold"
          dir="auto"
        >
          {title}
          {props.phase === 'waiting' && (
            <small className="block truncate text-meta font-normal text-ink-3">
              {t('Waiting for connection')}
            </small>
          )}
        </button>
      ) : (
        <>
          <h2 className="min-w-12 truncate font-semibold" dir="auto">
            {title}
          </h2>
          <span className="ms-auto flex max-w-[70%] shrink-0 ps-2">
            <DraftState draft={draft} onRetry={onRetrySave} />
          </span>
        </>
      )}
      {(mode === 'docked' || mode === 'full') && (
        <IconButton label={t('Minimize')} onClick={() => onModeChange('minimized')}>
          <Minus size={16} />
        </IconButton>
      )}
      <IconButton
        label={resizeLabels[mode]()}
        onClick={mode === 'docked' ? () => onModeChange('full') : restore}
      >
        {mode === 'full' ? <Minimize2 size={15} /> : <Maximize2 size={15} />}
      </IconButton>
      <IconButton label={t('Save and close')} onClick={onClose}>
        <X size={17} />
      </IconButton>
    </div>
  );
}
