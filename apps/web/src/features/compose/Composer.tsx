/**
 * The message being written: on a desktop a docked window, full screen or a bar, or inline under a
 * conversation; on a phone the whole screen, with Send always visible. Presentational: the
 * component that mounts it handles drafts, keys, uploads and sending.
 */
import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef } from 'react';
import { cn } from '../../lib/class-names.ts';
import { useCloseRequest } from '../../lib/close-request.ts';
import { t } from '../../lib/language.ts';
import { usePhone } from '../../lib/media.ts';
import { ComposerFields } from './ComposerFields.tsx';
import { ComposerFoot } from './ComposerFoot.tsx';
import { ComposerHead } from './ComposerHead.tsx';
import { frameClass } from './composer-frames.ts';
import { handleComposerKey } from './composer-keys.ts';
import { AttachmentList } from './draft/AttachmentList.tsx';
import type {
  ComposerPhase,
  DraftFileView,
  DraftView,
  RecipientFieldName,
  Recipients,
  RecipientView,
} from './draft/view-model.ts';
import type { RecipientFieldProps } from './recipients/RecipientField.tsx';
import type { TypedRecipient } from './recipients/recipient-input.ts';
import { sendBlockedReason, summarize } from './recipients/recipient-words.ts';
import { useUnfinished } from './recipients/use-recipient-fields.ts';
import { useSendWish } from './sending/use-send-wish.ts';
import { useDroppedFiles } from './use-dropped-files.ts';
import { useKeyboardRoom } from './use-keyboard-room.ts';
import type { ComposerMode } from './windows/composer-list.ts';

export type ComposerActions = {
  onRecipientsAdd: (field: RecipientFieldName, typed: readonly TypedRecipient[]) => void;
  onRecipientRemove: (field: RecipientFieldName, index: number) => void;
  onShowCcBcc: () => void;
  onSubjectChange: (subject: string) => void;
  /** For the plain-text field that is used without an `editor`. */
  onTextChange?: (text: string) => void;
  onFiles: (files: File[]) => void;
  onFileRemove: (id: string) => void;
  onFileRetry: (id: string) => void;
  onModeChange: (mode: ComposerMode) => void;
  /** Called when the composer has the focus; `wantsFocus` can be reset. */
  onFocusTaken: () => void;
  /** Closing keeps the draft. */
  onClose: () => void;
  onDiscard: () => void;
  onSend: () => void;
  onSendTwoCopies: () => void;
  onRetrySave: () => void;
  /** Opens the comparison of a recipient's keys. */
  onVerify?: (recipient: RecipientView) => void;
};

export type ComposerProps = {
  mode: ComposerMode;
  recipients: Recipients;
  showsCcBcc: boolean;
  subject: string;
  text: string;
  files: readonly DraftFileView[];
  draft: DraftView;
  phase: ComposerPhase;
  isOffline: boolean;
  /**
   * Takes the focus: in the recipients field while it is empty, otherwise before the first word of
   * the text.
   */
  wantsFocus: boolean;
  suggestionsFor: RecipientFieldProps['suggestionsFor'];
  /** The sender's address, if there are several to choose from. */
  fromField?: ReactNode;
  /** A failed send, or the notice about another tab. */
  banner?: ReactNode;
  /** Replaces the plain-text field; `editorRef` focuses it. */
  editor?: ReactNode;
  editorRef?: RefObject<{ focus: (at: 'start' | 'end') => void } | null>;
  /** Buttons of the footer, after Send and at its end. */
  footStart?: ReactNode;
  footEnd?: ReactNode;
  /** Beside Send: scheduling. */
  sendMenu?: ReactNode;
  /** Total size of all files, against the limit. */
  fileTotal?: string;
  /** For a minimized draft: its index in barPlaces. */
  barPlace?: number;
  actions: ComposerActions;
};

/** Focuses a composer once for each request. */
function useFirstFocus(
  { recipients, editorRef, actions, ...props }: ComposerProps,
  mode: ComposerMode,
  frame: RefObject<HTMLElement | null>,
) {
  const toInput = useRef<HTMLInputElement>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  const wantsFocus = props.wantsFocus && mode !== 'minimized';
  const hasNobody = recipients.to.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked for
  useEffect(() => {
    if (!wantsFocus) return;
    const field = textField.current;
    // A reply starts above the quoted text.
    const caret = field?.value.startsWith('\n') ? 0 : (field?.value.length ?? 0);
    field?.setSelectionRange(caret, caret);
    if (hasNobody) toInput.current?.focus();
    else if (editorRef) editorRef.current?.focus('start');
    else field?.focus();
    if (mode === 'inline') frame.current?.scrollIntoView({ block: 'nearest' });
    actions.onFocusTaken();
  }, [wantsFocus]);
  return { toInput, textField };
}

type ComposerBodyProps = ComposerProps & {
  summary: ReturnType<typeof summarize>;
  isReadOnly: boolean;
  toInput: RefObject<HTMLInputElement | null>;
  textField: RefObject<HTMLTextAreaElement | null>;
  noteField: ReturnType<typeof useUnfinished>['noteField'];
};

/**
 * The content between the two bars. Overflow scrolls; on a phone, where a keyboard covers half of
 * the screen, everything scrolls as one.
 */
function ComposerBody({ mode, isReadOnly, actions, ...props }: ComposerBodyProps) {
  return (
    <div
      data-scrolling={mode === 'phone' || undefined}
      className={mode === 'inline' ? 'contents' : 'flex min-h-0 flex-1 flex-col overflow-y-auto'}
    >
      {props.banner}
      <ComposerFields
        recipients={props.recipients}
        summary={props.summary}
        showsCcBcc={props.showsCcBcc}
        subject={props.subject}
        isReadOnly={isReadOnly}
        suggestionsFor={props.suggestionsFor}
        from={props.fromField}
        toInput={props.toInput}
        noteField={props.noteField}
        actions={actions}
      />
      {props.editor ?? (
        <textarea
          ref={props.textField}
          aria-label={t('Message')}
          dir="auto"
          value={props.text}
          readOnly={isReadOnly}
          onChange={event => actions.onTextChange?.(event.target.value)}
          className="min-h-32 flex-1 resize-none bg-transparent px-4 py-3.5 leading-[21px] -outline-offset-2"
        />
      )}
      <AttachmentList
        files={props.files}
        total={props.fileTotal}
        isPhone={mode === 'phone'}
        onRemove={actions.onFileRemove}
        onRetry={actions.onFileRetry}
      />
    </div>
  );
}

type FileInputProps = {
  inputRef: RefObject<HTMLInputElement | null>;
  onTake: ReturnType<typeof useDroppedFiles>['takeFiles'];
};

function FileInput({ inputRef, onTake }: FileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      multiple
      hidden
      aria-label={t('Attach files')}
      onChange={event => {
        if (event.target.files !== null) onTake(event.target.files, event);
        event.target.value = '';
      }}
    />
  );
}

function DropVeil() {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-2 grid place-items-center rounded-control border-2 border-dashed border-accent bg-selected font-semibold text-accent-text opacity-95"
    >
      {t('Drop files to attach them')}
    </div>
  );
}

/** Focuses a field that appears with the next paint. */
const focusField = (frame: RefObject<HTMLElement | null>, name: 'cc' | 'bcc') =>
  requestAnimationFrame(() =>
    frame.current?.querySelector<HTMLElement>(`[data-field="${name}"] input`)?.focus(),
  );

/** One message. Ctrl or ⌘ with Enter sends, Esc closes (and keeps the draft). */
export function Composer(props: ComposerProps) {
  const { recipients, subject, files, actions } = props;
  const isPhone = usePhone();
  const mode = isPhone && props.mode !== 'minimized' ? 'phone' : props.mode;
  const isReadOnly = props.phase === 'readOnly';
  const fileInput = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useKeyboardRoom(frame, mode === 'phone');
  useCloseRequest(mode === 'phone', () => close());
  const summary = summarize(recipients);
  const isUploading = files.some(file => file.state === 'encrypting' || file.state === 'uploading');
  const blockedReason = sendBlockedReason(summary, isUploading, props.isOffline);
  const { toInput, textField } = useFirstFocus(props, mode, frame);
  const { finishTyping, noteField } = useUnfinished();
  const close = () => {
    finishTyping();
    actions.onClose();
  };
  const { send, isSendWanted } = useSendWish({
    isLookingUp: summary.isLookingUp && !props.isOffline,
    blockedReason,
    isBusy: props.phase === 'sending' || isReadOnly,
    finishTyping,
    onSend: actions.onSend,
  });
  const attach = () => fileInput.current?.click();
  const showField = (name: 'cc' | 'bcc') => {
    actions.onShowCcBcc();
    focusField(frame, name);
  };
  const isInside = (event: SyntheticEvent) => frame.current?.contains(event.target as Node) ?? false;
  const keyActions = { mode, isReadOnly, send, close, attach, showField, discard: actions.onDiscard };
  const drop = useDroppedFiles({ isInside, isReadOnly, onFiles: actions.onFiles });
  const title = subject || t('New message');
  const sending = {
    phase: isSendWanted ? 'sending' : props.phase,
    summary,
    blockedReason,
    isOffline: props.isOffline,
    onAttach: attach,
    onSend: send,
  } as const;
  return (
    // Several composers can be open and none is modal.
    <div
      ref={frame}
      role="dialog"
      aria-label={title}
      // Toasts are beside it, or above it when it is a bar; on a phone the bars of others wait
      // behind it.
      data-docked={mode === 'docked' || undefined}
      data-phone={mode === 'phone' || undefined}
      data-keep-clear={mode === 'minimized' || undefined}
      onKeyDown={event => isInside(event) && handleComposerKey(event, keyActions)}
      {...drop.handlers}
      className={cn(
        'flex flex-col bg-raised text-ink print:hidden',
        frameClass(mode, props.barPlace, files.length > 0),
      )}
    >
      <ComposerHead
        {...sending}
        mode={mode}
        title={title}
        draft={props.draft}
        onRetrySave={actions.onRetrySave}
        onModeChange={next => {
          finishTyping();
          actions.onModeChange(next);
        }}
        onClose={close}
      />
      {mode !== 'minimized' && (
        <>
          <ComposerBody
            {...props}
            mode={mode}
            summary={summary}
            isReadOnly={isReadOnly}
            toInput={toInput}
            textField={textField}
            noteField={noteField}
          />
          <ComposerFoot
            {...sending}
            isPhone={mode === 'phone'}
            onDiscard={actions.onDiscard}
            sendMenu={props.sendMenu}
            start={props.footStart}
            end={props.footEnd}
          />
          <FileInput inputRef={fileInput} onTake={drop.takeFiles} />
        </>
      )}
      {drop.isDropping && <DropVeil />}
    </div>
  );
}
