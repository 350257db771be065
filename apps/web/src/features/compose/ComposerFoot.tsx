// The footer of a composer: Send, encryption summary, attach, discard. On a phone, Send and Attach
// are in the header.
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

/** The row below the text. */
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
      {mix !== '' && (
        <span className="mx-1 min-w-0 text-meta leading-tight text-ink-3 tabular-nums">{mix}</span>
      )}
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
