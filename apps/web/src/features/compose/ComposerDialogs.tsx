/**
 * Dialogs over a composer: questions before sending or before formatting is lost, a send time,
 * templates, key comparison.
 */
import { t } from '../../lib/language.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { LazyVerifyDialog } from '../contacts/LazyVerifyDialog.tsx';
import type { RecipientView } from './draft/view-model.ts';
import { PickTimeDialog } from './sending/PickTimeDialog.tsx';
import { type Reminder, reminderWords } from './sending/reminders.ts';
import type { AskedRequest } from './sending/use-send-request.ts';
import { TemplatesDialog } from './text/TemplatesDialog.tsx';

type SendQuestionProps = {
  reminders: readonly Reminder[];
  onSend: () => void;
  onBack: () => void;
};

/** A question over the composer; Back is the safe answer. */
function SendQuestion({ reminders, onSend, onBack }: SendQuestionProps) {
  return (
    <AlertDialog
      open
      danger={false}
      title={t('Send anyway?')}
      confirmLabel={t('Send anyway')}
      cancelLabel={t('Keep editing')}
      onConfirm={onSend}
      onCancel={onBack}
    >
      {reminders.map(one => (
        <p key={one}>{reminderWords(one)}</p>
      ))}
    </AlertDialog>
  );
}

/** The open dialog, or null. */
export type ComposerOverlay =
  | { readonly kind: 'templates' }
  | { readonly kind: 'pickTime' }
  | { readonly kind: 'losesFormat' }
  | { readonly kind: 'verify'; readonly recipient: RecipientView }
  | null;

type Text = { readonly html: string; readonly text: string };

type ComposerDialogsProps = {
  asked: AskedRequest | null;
  onAnswer: (isSent: boolean) => void;
  overlay: ComposerOverlay;
  /** Closes the `overlay` dialog. */
  onClose: () => void;
  /** The current content, for saving it as a template. */
  current: Text;
  onInsert: (template: Text) => void;
  onPickTime: (at: Date) => void;
  onPlain: () => void;
  /** Called after the user has compared keys. */
  onVerified: () => void;
};

/** Shows one dialog at a time, besides the question that Send asks. */
export function ComposerDialogs({ asked, onAnswer, overlay, onClose, ...props }: ComposerDialogsProps) {
  const closing =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      onClose();
      act(...args);
    };
  return (
    <>
      {asked !== null && (
        <SendQuestion
          reminders={asked.reminders}
          onBack={() => onAnswer(false)}
          onSend={() => onAnswer(true)}
        />
      )}
      {overlay?.kind === 'verify' && (
        <LazyVerifyDialog {...overlay.recipient} onClose={closing(props.onVerified)} />
      )}
      {overlay?.kind === 'losesFormat' && (
        <AlertDialog
          open
          title={t('Switch to plain text?')}
          confirmLabel={t('Switch to plain text')}
          onConfirm={closing(props.onPlain)}
          onCancel={onClose}
        >
          {t('Formatting and inline images will be lost.')}
        </AlertDialog>
      )}
      {overlay?.kind === 'pickTime' && (
        <PickTimeDialog onClose={onClose} onPick={closing(props.onPickTime)} />
      )}
      {overlay?.kind === 'templates' && (
        <TemplatesDialog current={props.current} onClose={onClose} onInsert={closing(props.onInsert)} />
      )}
    </>
  );
}
