// The foot of a letter: Send, who gets encryption, attach, discard. On a phone Send and attach are in the head.
import { Paperclip, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import { keysOf } from '../../session/commands/shortcut-keys.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { mixLabel } from './recipients/recipient-words.ts';
import { SendButton, type SendButtonProps } from './sending/SendButton.tsx';

type ComposerFootProps = SendButtonProps & {
  isPhone: boolean;
  onAttach: () => void;
  onDiscard: () => void;
  sendMenu?: ReactNode;
  start?: ReactNode;
  end?: ReactNode;
};

/** Under the text. */
export function ComposerFoot(props: ComposerFootProps) {
  const mix = mixLabel(props.summary);
  return (
    <div data-keep-clear className="flex shrink-0 items-center gap-1 border-t border-line px-3 py-2.5">
      {!props.isPhone && (
        <>
          <SendButton {...props} />
          {props.sendMenu}
        </>
      )}
      {mix !== '' && <span className="ms-1 me-1 truncate text-meta text-ink-3 tabular-nums">{mix}</span>}
      {!props.isPhone && (
        <IconButton
          label={t('Attach')}
          keys={keysOf('attach')}
          disabled={props.phase === 'readOnly'}
          onClick={props.onAttach}
        >
          <Paperclip size={17} />
        </IconButton>
      )}
      {props.start}
      <span className="flex-1" />
      {props.end}
      <IconButton
        label={t('Discard draft')}
        keys={keysOf('discard')}
        disabled={props.phase === 'readOnly'}
        onClick={props.onDiscard}
      >
        <Trash2 size={17} />
      </IconButton>
    </div>
  );
}
