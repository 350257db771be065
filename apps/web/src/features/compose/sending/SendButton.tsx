// The Send button: its words say when somebody gets no encryption, its tooltip why it does not work.
import { t, tAs } from '../../../lib/language.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { Button } from '../../../ui/Button.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { type RecipientSummary, sendLabel } from '../recipients/recipient-words.ts';

export interface SendButtonProps {
  summary: RecipientSummary;
  blockedReason: string | null;
  isSending: boolean;
  hasFailed: boolean;
  /** Will be sent once there is a connection; pressing again takes that back. */
  isWaiting: boolean;
  isOffline: boolean;
  isReadOnly: boolean;
  onSend: () => void;
}

/** Stays focusable while it is blocked, so that the reason can be read. */
export function SendButton({
  summary,
  blockedReason,
  isSending,
  hasFailed,
  isWaiting,
  isOffline,
  isReadOnly,
  onSend,
}: SendButtonProps) {
  const isBlocked = blockedReason !== null || isReadOnly;
  const offlineLabel = isWaiting ? t('Waiting for the connection') : t('Send when online');
  const button = (
    <Button
      busy={isSending}
      aria-disabled={isBlocked || undefined}
      aria-description={blockedReason ?? undefined}
      aria-keyshortcuts="Control+Enter"
      aria-pressed={isOffline ? isWaiting : undefined}
      onClick={onSend}
    >
      {isSending ? t('Sending…') : isOffline ? offlineLabel : sendLabel(summary, hasFailed)}
    </Button>
  );
  return (
    <Tooltip
      text={blockedReason ?? (isReadOnly ? t('Being edited in another tab') : tAs('verb', 'Send'))}
      keys={isBlocked ? undefined : keysOf('send')}
    >
      {button}
    </Tooltip>
  );
}
