// The letter being written: a docked window on a desktop (or full screen, or a bar), the whole screen on a phone, or inline
// under a conversation. Draws and reports; drafts, keys, uploads and sending are the business of whoever mounts it.
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { cn } from '../../lib/class-names.ts';
import { usePhone } from '../../lib/media.ts';
import { Button } from '../../ui/Button.tsx';
import { AttachmentRow } from './AttachmentRow.tsx';
import { ComposerFoot } from './ComposerFoot.tsx';
import { ComposerHead, type ComposerMode } from './ComposerHead.tsx';
import { PlainWarning } from './PlainWarning.tsx';
import { RecipientField, type RecipientFieldProps } from './RecipientField.tsx';
import type { TypedRecipient } from './recipient-input.ts';
import { sendBlockedReason, summarise } from './recipient-words.ts';
import type {
  DraftFileView,
  DraftView,
  RecipientFieldName,
  Recipients,
  RecipientView,
} from './view-model.ts';

export interface ComposerActions {
  onRecipientsAdd: (field: RecipientFieldName, typed: readonly TypedRecipient[]) => void;
  onRecipientRemove: (field: RecipientFieldName, index: number) => void;
  onRecipientReview: (recipient: RecipientView) => void;
  onShowCcBcc: () => void;
  onSubjectChange: (subject: string) => void;
  onTextChange: (text: string) => void;
  onFiles: (files: File[]) => void;
  onFileRemove: (id: string) => void;
  onFileRetry: (id: string) => void;
  onModeChange: (mode: ComposerMode) => void;
  /** The keyboard is in it now; `wantsFocus` can be taken back. */
  onFocusTaken: () => void;
  /** Closing keeps the draft. */
  onClose: () => void;
  onDiscard: () => void;
  onSend: () => void;
  onSendTwoCopies: () => void;
  onRetrySave: () => void;
}

export interface ComposerProps {
  mode: ComposerMode;
  recipients: Recipients;
  showsCcBcc: boolean;
  subject: string;
  text: string;
  files: readonly DraftFileView[];
  draft: DraftView;
  isSending: boolean;
  /** The last try to send failed. */
  hasFailed?: boolean;
  isOffline: boolean;
  /** It will be sent once there is a connection. */
  isWaiting?: boolean;
  /** Takes the keyboard: into the recipients while there are none, else before the first word of the text. */
  wantsFocus: boolean;
  /** Being edited in another tab: nothing can be changed here. */
  isReadOnly?: boolean;
  suggestionsFor: RecipientFieldProps['suggestionsFor'];
  /** The sender's address, when there is more than one to choose from. */
  fromField?: ReactNode;
  /** A failed sending, or the other tab. */
  banner?: ReactNode;
  /** Takes the place of the plain-text field. */
  editor?: ReactNode;
  /** For a minimised letter: its place in barPlaces. */
  barPlace?: number;
  actions: ComposerActions;
}

const frames: Record<ComposerMode, string> = {
  docked:
    'fixed end-5 bottom-0 z-40 h-[min(520px,calc(100dvh-72px))] w-[560px] max-w-[calc(100vw-40px)] rounded-t-card border border-b-0 border-line shadow-high',
  minimised: 'fixed bottom-0 z-40 w-[300px] rounded-t-card border border-b-0 border-line shadow-high',
  full: 'fixed inset-[4dvh_max(16px,calc(50vw-480px))] z-40 rounded-card border border-line shadow-high',
  phone: 'fixed inset-0 z-40 pt-[env(safe-area-inset-top)]',
  inline: 'min-h-96 rounded-card border border-line',
};

/** Where minimised letters stand, from the edge inwards: first without a docked one, then beside it. */
const barPlaces = ['end-5', 'end-[332px]', 'end-[644px]', 'end-[592px]', 'end-[904px]'] as const;

const fields: readonly { name: RecipientFieldName; label: string }[] = [
  { name: 'to', label: 'To' },
  { name: 'cc', label: 'Cc' },
  { name: 'bcc', label: 'Bcc' },
];

/** One letter. Ctrl or ⌘ with Enter sends, Esc closes (and keeps the draft). */
export function Composer(props: ComposerProps) {
  const {
    recipients,
    showsCcBcc,
    subject,
    text,
    files,
    draft,
    isSending,
    isReadOnly = false,
    actions,
  } = props;
  const isPhone = usePhone();
  const mode = isPhone && props.mode !== 'inline' ? 'phone' : props.mode;
  const [isDropping, setDropping] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const toInput = useRef<HTMLInputElement>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const summary = summarise(recipients);
  const isUploading = files.some(file => file.state === 'encrypting' || file.state === 'uploading');
  const blockedReason = sendBlockedReason(summary, isUploading);
  const isMinimised = mode === 'minimised';
  const wantsFocus = props.wantsFocus && !isMinimised;
  const hasNobody = recipients.to.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked for
  useEffect(() => {
    if (!wantsFocus) return;
    const field = textField.current;
    // An answer begins above what it quotes.
    const caret = field?.value.startsWith('\n') ? 0 : (field?.value.length ?? 0);
    field?.setSelectionRange(caret, caret);
    (hasNobody || field === null ? toInput.current : field)?.focus();
    if (mode === 'inline') frame.current?.scrollIntoView({ block: 'nearest' });
    actions.onFocusTaken();
  }, [wantsFocus]);
  const send = () => {
    if (blockedReason === null && !isSending && !isReadOnly) actions.onSend();
  };
  const attach = () => fileInput.current?.click();
  const withShift: Readonly<Record<string, () => void>> = {
    a: attach,
    c: actions.onShowCcBcc,
    b: actions.onShowCcBcc,
    d: actions.onDiscard,
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.shiftKey && (event.ctrlKey || event.metaKey)) {
      const act = withShift[event.key.toLowerCase()];
      if (act === undefined || isReadOnly) return;
      event.preventDefault();
      act();
    } else if (event.key === 'Escape' && !event.defaultPrevented && mode !== 'inline') {
      actions.onClose();
    }
  };
  const takeFiles = (list: FileList, event: { preventDefault(): void }) => {
    if (list.length === 0 || isReadOnly) return;
    event.preventDefault();
    actions.onFiles([...list]);
  };
  const head = (
    <ComposerHead
      mode={mode}
      title={subject || 'New message'}
      draft={draft}
      summary={summary}
      blockedReason={blockedReason}
      isSending={isSending}
      hasFailed={props.hasFailed ?? false}
      isOffline={props.isOffline}
      isWaiting={props.isWaiting ?? false}
      isReadOnly={isReadOnly}
      onRetrySave={actions.onRetrySave}
      onModeChange={actions.onModeChange}
      onClose={actions.onClose}
      onAttach={attach}
      onSend={send}
    />
  );
  return (
    // Several can be open and none is modal.
    <div
      ref={frame}
      role="dialog"
      aria-label={subject || 'New message'}
      data-docked={mode === 'docked' || undefined}
      onKeyDown={key}
      onDragOver={(event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
      }}
      onDrop={(event: DragEvent) => {
        setDropping(false);
        takeFiles(event.dataTransfer.files, event);
      }}
      onPaste={(event: ClipboardEvent) => takeFiles(event.clipboardData.files, event)}
      className={cn(
        'flex flex-col bg-raised text-ink print:hidden',
        frames[mode],
        isMinimised && (barPlaces[props.barPlace ?? 0] ?? 'end-5'),
      )}
    >
      {head}
      {!isMinimised && (
        <>
          {props.banner}
          {props.fromField}
          {fields.map(
            ({ name, label }) =>
              (name === 'to' || showsCcBcc || recipients[name].length > 0) && (
                <RecipientField
                  key={name}
                  label={label}
                  {...(name === 'to' ? { inputRef: toInput } : {})}
                  recipients={recipients[name]}
                  onAdd={typed => actions.onRecipientsAdd(name, typed)}
                  onRemove={index => actions.onRecipientRemove(name, index)}
                  onReview={actions.onRecipientReview}
                  suggestionsFor={props.suggestionsFor}
                  isDisabled={isReadOnly}
                  end={
                    name === 'to' &&
                    !showsCcBcc && (
                      <Button variant="quiet" size="xs" onClick={actions.onShowCcBcc}>
                        Cc Bcc
                      </Button>
                    )
                  }
                />
              ),
          )}
          <PlainWarning summary={summary} onSendTwoCopies={actions.onSendTwoCopies} />
          <input
            aria-label="Subject"
            placeholder="Subject"
            dir="auto"
            value={subject}
            readOnly={isReadOnly}
            onChange={event => actions.onSubjectChange(event.target.value)}
            className="h-[42px] shrink-0 border-b border-line bg-transparent px-4 -outline-offset-2"
          />
          {props.editor ?? (
            <textarea
              ref={textField}
              aria-label="Message"
              dir="auto"
              value={text}
              readOnly={isReadOnly}
              onChange={event => actions.onTextChange(event.target.value)}
              className="min-h-32 flex-1 resize-none bg-transparent px-4 py-3.5 leading-[21px] -outline-offset-2"
            />
          )}
          {files.length > 0 && (
            <ul
              aria-label="Attachments"
              className="mx-4 mb-2.5 flex max-h-40 shrink-0 flex-col gap-1.5 overflow-auto"
            >
              {files.map(file => (
                <AttachmentRow
                  key={file.id}
                  file={file}
                  onRemove={actions.onFileRemove}
                  onRetry={actions.onFileRetry}
                />
              ))}
            </ul>
          )}
          <ComposerFoot
            isPhone={mode === 'phone'}
            hasFailed={props.hasFailed ?? false}
            isWaiting={props.isWaiting ?? false}
            summary={summary}
            blockedReason={blockedReason}
            isSending={isSending}
            isOffline={props.isOffline}
            isReadOnly={isReadOnly}
            onAttach={attach}
            onDiscard={actions.onDiscard}
            onSend={send}
          />
          <input
            ref={fileInput}
            type="file"
            multiple
            hidden
            aria-label="Attach files"
            onChange={event => {
              if (event.target.files !== null) takeFiles(event.target.files, event);
              event.target.value = '';
            }}
          />
        </>
      )}
      {isDropping && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-2 grid place-items-center rounded-control border-2 border-dashed border-accent bg-selected font-semibold text-accent-text opacity-95"
        >
          Drop files to attach them
        </div>
      )}
    </div>
  );
}
