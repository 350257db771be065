// The letter being written: a docked window on a desktop (or full screen, or a bar) or inline under a conversation; on a
// phone the whole screen, with Send always in sight. Draws and reports; drafts, keys, uploads and sending are the business of whoever mounts it.
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { cn } from '../../lib/class-names.ts';
import { useCloseRequest } from '../../lib/close-request.ts';
import { t, term } from '../../lib/language.ts';
import { usePhone } from '../../lib/media.ts';
import { Button } from '../../ui/Button.tsx';
import { ComposerFoot } from './ComposerFoot.tsx';
import { ComposerHead } from './ComposerHead.tsx';
import { barPlaces, frames, phoneBarPlaces } from './composer-frames.ts';
import { AttachmentRow } from './draft/AttachmentRow.tsx';
import { useUnfinished } from './draft/use-unfinished.ts';
import type {
  DraftFileView,
  DraftView,
  RecipientFieldName,
  Recipients,
  RecipientView,
} from './draft/view-model.ts';
import type { ComposerMode } from './letters/composer-list.ts';
import { KeyChangeStrip } from './recipients/KeyChangeStrip.tsx';
import { RecipientField, type RecipientFieldProps } from './recipients/RecipientField.tsx';
import type { TypedRecipient } from './recipients/recipient-input.ts';
import { sendBlockedReason, summarize } from './recipients/recipient-words.ts';
import { UnknownStrip } from './recipients/UnknownStrip.tsx';
import { PlainWarning } from './sending/PlainWarning.tsx';
import { useSendWish } from './sending/use-send-wish.ts';
import { useKeyboardRoom } from './use-keyboard-room.ts';

export interface ComposerActions {
  onRecipientsAdd: (field: RecipientFieldName, typed: readonly TypedRecipient[]) => void;
  onRecipientRemove: (field: RecipientFieldName, index: number) => void;
  onShowCcBcc: () => void;
  onSubjectChange: (subject: string) => void;
  /** For the plain field that stands here without an editor of its own. */
  onTextChange?: (text: string) => void;
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
  /** Opens what compares the keys of a recipient. */
  onVerify?: (recipient: RecipientView) => void;
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
  /** Takes the place of the plain-text field; `editorRef` puts the keyboard into it. */
  editor?: ReactNode;
  editorRef?: RefObject<{ focus: (at: 'start' | 'end') => void } | null>;
  /** Buttons of the foot, after Send and at its end. */
  footStart?: ReactNode;
  footEnd?: ReactNode;
  /** Beside Send: sending later. */
  sendMenu?: ReactNode;
  /** How much all files are, against the limit. */
  fileTotal?: string;
  /** For a minimised letter: its place in barPlaces. */
  barPlace?: number;
  actions: ComposerActions;
}

const fields: readonly { name: RecipientFieldName; label: string }[] = [
  { name: 'to', label: term('To') },
  { name: 'cc', label: 'Cc' },
  { name: 'bcc', label: 'Bcc' },
];

/** Esc belongs to the list or menu that the element with the focus has opened, and to a window over the composer. */
const hasOpenLayer = ({ target }: KeyboardEvent): boolean =>
  (target as Element).closest('[aria-expanded="true"]') !== null ||
  document.querySelector('[role$="dialog"][data-open]') !== null;

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
  const mode = isPhone && props.mode !== 'minimised' ? 'phone' : props.mode;
  const [isDropping, setDropping] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const toInput = useRef<HTMLInputElement>(null);
  const textField = useRef<HTMLTextAreaElement>(null);
  useKeyboardRoom(frame, mode === 'phone');
  useCloseRequest(mode === 'phone', () => close());
  const summary = summarize(recipients);
  const isUploading = files.some(file => file.state === 'encrypting' || file.state === 'uploading');
  const blockedReason = sendBlockedReason(summary, isUploading, props.isOffline);
  const isMinimised = mode === 'minimised';
  const { barPlace = 0 } = props;
  const title = subject || t('New message');
  const wantsFocus = props.wantsFocus && !isMinimised;
  const hasNobody = recipients.to.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked for
  useEffect(() => {
    if (!wantsFocus) return;
    const field = textField.current;
    // An answer begins above what it quotes.
    const caret = field?.value.startsWith('\n') ? 0 : (field?.value.length ?? 0);
    field?.setSelectionRange(caret, caret);
    if (hasNobody) toInput.current?.focus();
    else if (props.editorRef) props.editorRef.current?.focus('start');
    else field?.focus();
    if (mode === 'inline') frame.current?.scrollIntoView({ block: 'nearest' });
    actions.onFocusTaken();
  }, [wantsFocus]);
  const { finishTyping, noteField } = useUnfinished();
  const close = () => {
    finishTyping();
    actions.onClose();
  };
  const changeMode = (next: ComposerMode) => {
    finishTyping();
    actions.onModeChange(next);
  };
  const { send, isSendWanted } = useSendWish({
    isLookingUp: summary.isLookingUp && !props.isOffline,
    blockedReason,
    isBusy: isSending || isReadOnly,
    finishTyping,
    onSend: actions.onSend,
  });
  const attach = () => fileInput.current?.click();
  const showField = (label: 'Cc' | 'Bcc') => {
    actions.onShowCcBcc();
    // The field is there after the next paint.
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(`[data-field="${label}"] input`)?.focus(),
    );
  };
  const withShift: Readonly<Record<string, () => void>> = {
    a: attach,
    c: () => showField('Cc'),
    b: () => showField('Bcc'),
    d: actions.onDiscard,
  };
  /** Windows over the composer are its children for React, and not on the page. */
  const isInside = (event: { target: EventTarget }) => frame.current?.contains(event.target as Node) ?? false;
  const key = (event: KeyboardEvent) => {
    if (!isInside(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.shiftKey && (event.ctrlKey || event.metaKey)) {
      const act = withShift[event.key.toLowerCase()];
      if (act === undefined || isReadOnly) return;
      event.preventDefault();
      act();
    } else if (
      event.key === 'Escape' &&
      !event.defaultPrevented &&
      mode !== 'inline' &&
      !hasOpenLayer(event)
    ) {
      close();
    }
  };
  const takeFiles = (list: FileList, event: SyntheticEvent) => {
    // The editor took it: a picture stands in the text now.
    if (list.length === 0 || isReadOnly || event.defaultPrevented || !isInside(event)) return;
    event.preventDefault();
    actions.onFiles([...list]);
  };
  const head = (
    <ComposerHead
      mode={mode}
      title={title}
      draft={draft}
      summary={summary}
      blockedReason={blockedReason}
      isSending={isSending || isSendWanted}
      hasFailed={props.hasFailed ?? false}
      isOffline={props.isOffline}
      isWaiting={props.isWaiting ?? false}
      isReadOnly={isReadOnly}
      onRetrySave={actions.onRetrySave}
      onModeChange={changeMode}
      onClose={close}
      onAttach={attach}
      onSend={send}
    />
  );
  return (
    // Several can be open and none is modal.
    <div
      ref={frame}
      role="dialog"
      aria-label={title}
      // Toasts stand beside it, or over it when it is a bar; on a phone the bars of others wait behind it.
      data-docked={mode === 'docked' || undefined}
      data-phone={mode === 'phone' || undefined}
      data-keep-clear={isMinimised || undefined}
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
        mode === 'inline' && 'relative',
        frames[mode],
        mode === 'docked' &&
          (files.length > 0 ? 'h-[min(680px,calc(100dvh-72px))]' : 'h-[min(520px,calc(100dvh-72px))]'),
        isMinimised && (barPlaces[barPlace] ?? barPlaces[0]),
        isMinimised && phoneBarPlaces[barPlace % phoneBarPlaces.length],
      )}
    >
      {head}
      {!isMinimised && (
        <>
          {/* What does not fit between the bars scrolls; on a phone, with a keyboard over half of it, all as one. */}
          <div
            data-scrolling={mode === 'phone' || undefined}
            className={mode === 'inline' ? 'contents' : 'flex min-h-0 flex-1 flex-col overflow-y-auto'}
          >
            {props.banner}
            {props.fromField}
            {fields.map(
              ({ name, label }) =>
                (name === 'to' || showsCcBcc || recipients[name].length > 0) && (
                  <RecipientField
                    key={name}
                    label={t(label)}
                    {...(name === 'to' ? { inputRef: toInput } : {})}
                    finishRef={noteField(name)}
                    recipients={recipients[name]}
                    onAdd={typed => actions.onRecipientsAdd(name, typed)}
                    onRemove={index => actions.onRecipientRemove(name, index)}
                    suggestionsFor={props.suggestionsFor}
                    onVerify={actions.onVerify}
                    isDisabled={isReadOnly}
                    end={
                      name === 'to' &&
                      !showsCcBcc && (
                        <Button variant="quiet" size="xs" onClick={actions.onShowCcBcc}>
                          {t('Cc Bcc')}
                        </Button>
                      )
                    }
                  />
                ),
            )}
            <KeyChangeStrip
              people={[...recipients.to, ...recipients.cc, ...recipients.bcc]}
              onReview={actions.onVerify}
            />
            <UnknownStrip people={[...recipients.to, ...recipients.cc, ...recipients.bcc]} />
            <PlainWarning summary={summary} onSendTwoCopies={actions.onSendTwoCopies} />
            <input
              aria-label={t('Subject')}
              placeholder={t('Subject')}
              dir="auto"
              value={subject}
              readOnly={isReadOnly}
              onChange={event => actions.onSubjectChange(event.target.value)}
              className="h-[42px] shrink-0 border-b border-line bg-transparent px-4 -outline-offset-2"
            />
            {props.editor ?? (
              <textarea
                ref={textField}
                aria-label={t('Message')}
                dir="auto"
                value={text}
                readOnly={isReadOnly}
                onChange={event => actions.onTextChange?.(event.target.value)}
                className="min-h-32 flex-1 resize-none bg-transparent px-4 py-3.5 leading-[21px] -outline-offset-2"
              />
            )}
            {files.length > 0 && (
              <ul
                aria-label={t('Attachments')}
                className={cn(
                  'mx-4 mb-2.5 flex shrink-0 flex-col gap-1.5',
                  mode !== 'phone' && 'max-h-40 overflow-auto',
                )}
              >
                {props.fileTotal && <li className="text-meta text-ink-3 tabular-nums">{props.fileTotal}</li>}
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
          </div>
          <ComposerFoot
            isPhone={mode === 'phone'}
            hasFailed={props.hasFailed ?? false}
            isWaiting={props.isWaiting ?? false}
            summary={summary}
            blockedReason={blockedReason}
            isSending={isSending || isSendWanted}
            isOffline={props.isOffline}
            isReadOnly={isReadOnly}
            onAttach={attach}
            onDiscard={actions.onDiscard}
            onSend={send}
            sendMenu={props.sendMenu}
            start={props.footStart}
            end={props.footEnd}
          />
          <input
            ref={fileInput}
            type="file"
            multiple
            hidden
            aria-label={t('Attach files')}
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
          {t('Drop files to attach them')}
        </div>
      )}
    </div>
  );
}
