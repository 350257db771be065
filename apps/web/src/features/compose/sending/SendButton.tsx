// The Send button: its label says when a recipient gets no encryption, its tooltip why it is
// disabled.
import { t, tAs } from '../../../lib/language.ts';
import { keysOf } from '../../../session/commands/shortcut-keys.ts';
import { Button } from '../../../ui/Button.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { ComposerPhase } from '../draft/view-model.ts';
import { type RecipientSummary, sendLabel } from '../recipients/recipient-words.ts';

export type SendButtonProps = {
  summary: RecipientSummary;
  blockedReason: string | null;
  /** While it is `waiting`, pressing the button again withdraws the send. */
  phase: ComposerPhase;
  isOffline: boolean;
  onSend: () => void;
};

/** Stays focusable while it is disabled, so that the reason can be read. */
export function SendButton({ summary, blockedReason, phase, isOffline, onSend }: SendButtonProps) {
  const isReadOnly = phase === 'readOnly';
  const isSending = phase === 'sending';
  const isWaiting = phase === 'waiting';
  const isBlocked = blockedReason !== null || isReadOnly;
  const offlineLabel = isWaiting ? t('Waiting for connection') : t('Send when online');
  const button = (
    <Button
      busy={isSending}
      aria-disabled={isBlocked || undefined}
      aria-description={blockedReason ?? undefined}
      aria-keyshortcuts="Control+Enter"
      aria-pressed={isOffline ? isWaiting : undefined}
      onClick={onSend}
    >
      {isSending ? t('Sending…') : isOffline ? offlineLabel : sendLabel(summary, phase === 'failed')}
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
