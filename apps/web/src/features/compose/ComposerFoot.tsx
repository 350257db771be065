// The foot of a letter: Send, who gets encryption, attach, discard. On a phone Send and attach are in the head.
import { Paperclip, Trash2 } from 'lucide-react';
import { IconButton } from '../../ui/IconButton.tsx';
import { mixLabel } from './recipient-words.ts';
import { SendButton, type SendButtonProps } from './SendButton.tsx';

interface ComposerFootProps extends SendButtonProps {
  isPhone: boolean;
  onAttach: () => void;
  onDiscard: () => void;
}

/** Under the text. */
export function ComposerFoot(props: ComposerFootProps) {
  const mix = mixLabel(props.summary);
  return (
    <div className="flex shrink-0 items-center gap-1 border-t border-line px-3 py-2.5">
      {!props.isPhone && <SendButton {...props} />}
      {mix !== '' && <span className="ms-1 me-1 truncate text-meta text-ink-3 tabular-nums">{mix}</span>}
      {!props.isPhone && (
        <IconButton label="Attach" keys="Ctrl Shift a" disabled={props.isReadOnly} onClick={props.onAttach}>
          <Paperclip size={17} />
        </IconButton>
      )}
      <span className="flex-1" />
      <IconButton
        label="Discard draft"
        keys="Ctrl Shift d"
        disabled={props.isReadOnly}
        onClick={props.onDiscard}
      >
        <Trash2 size={17} />
      </IconButton>
    </div>
  );
}
