// The reading pane, connected: the open conversation, which of its messages are unfolded, remote pictures, and what the
// buttons do. Opening marks as read.
import { CallError } from '@keyfold/contract/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { fileNameOf } from '../../lib/file-names.ts';
import { useUser } from '../../session/current-user.ts';
import { callErrorText } from '../../session/error-text.ts';
import { useTheme } from '../../theme/theme-mode.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { showToast } from '../../ui/toasts.ts';
import { type Answered, openForward, openReply } from '../compose/answers.ts';
import {
  changeComposer,
  discardComposer,
  isUntouched,
  openComposer,
  storedFile,
  useComposers,
} from '../compose/composers.ts';
import { LazyComposerWindow } from '../compose/LazyComposerWindow.tsx';
import { saveAttachment, saveSource } from './attachments.ts';
import type { MailRowData } from './mail-cache.ts';
import type { Mark } from './mutations.ts';
import { useConversation, type WholeMail, wholeMailQuery } from './queries.ts';
import { Reader } from './Reader.tsx';
import { ReaderEmpty } from './ReaderEmpty.tsx';
import { ReaderSkeleton } from './ReaderSkeleton.tsx';
import { daysLeftOf } from './row-view.ts';
import { SourceDialog, type SourceDialogProps } from './SourceDialog.tsx';
import { useMessages } from './use-messages.ts';
import { useShortcuts } from './use-shortcuts.ts';

export interface ReaderPaneProps {
  mailId: string | null;
  hasBack: boolean;
  onBack: () => void;
  /** The mail is not there (any more): a link or a bookmark outlived it. */
  onMissing: () => void;
  /** Marks the whole conversation and, when it leaves the list, moves on. */
  onMarkConversation: (row: MailRowData, mark: Mark) => void;
  onMark: (ids: readonly string[], mark: Mark) => void;
}

const toAnswered = ({ mail, content }: WholeMail): Answered => ({
  messageId: mail.message_id,
  references: content.parsed.references?.split(/\s+/).filter(id => id !== '') ?? [],
  from: content.parsed.from ?? { name: '', address: mail.from },
  replyTo: content.parsed.replyTo,
  to: content.parsed.to,
  cc: content.parsed.cc,
  subject: content.parsed.subject ?? '',
  date: new Date(mail.received_at),
  text: content.parsed.text ?? '',
});

/** Files that a forward refers to again; those inside the mail itself are attached anew. */
const forwardedFiles = ({ content }: WholeMail) =>
  content.parsed.attachments.flatMap(file =>
    file.external === null
      ? []
      : [
          storedFile(
            file.external.externalId,
            file.external.key,
            fileNameOf(file),
            file.mimeType,
            file.external.sizeBytes,
          ),
        ],
  );

/** Files inside the mail itself, which a forward seals and uploads. */
const copiedFiles = ({ content }: WholeMail): File[] =>
  content.parsed.attachments.flatMap(file =>
    file.external === null
      ? [new File([file.content as BlobPart], fileNameOf(file), { type: file.mimeType })]
      : [],
  );

/** Which messages are unfolded: the last and the unread ones at first, then as the reader wishes. */
function useOpenMessages(mailId: string | null, rows: readonly MailRowData[]) {
  const [state, setState] = useState<{ mailId: string | null; ids: ReadonlySet<string> }>({
    mailId: null,
    ids: new Set(),
  });
  if (state.mailId !== mailId && rows.length > 0) {
    const last = rows.at(-1);
    const ids = rows
      .filter(({ mail }) => mail.id === mailId || (!mail.read && !mail.sent))
      .map(({ mail }) => mail.id);
    setState({ mailId, ids: new Set(last === undefined ? ids : [...ids, last.mail.id]) });
  }
  const toggle = (id: string) =>
    setState(before => {
      const ids = new Set(before.ids);
      if (!ids.delete(id)) ids.add(id);
      return { ...before, ids };
    });
  return { openIds: state.ids, toggle };
}

const failSafe = (work: Promise<unknown>): void => {
  work.catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
};

/** The right pane. */
export function ReaderPane(props: ReaderPaneProps) {
  const { mailId, hasBack, onBack, onMissing, onMarkConversation, onMark } = props;
  const theme = useTheme();
  const user = useUser();
  const cache = useQueryClient();
  const conversation = useConversation(mailId);
  const rows = conversation.data ?? noRows;
  const { openIds, toggle } = useOpenMessages(mailId, rows);
  const [remoteFor, setRemoteFor] = useState<string | null>(null);
  // Once is once: who comes back later is asked again.
  if (remoteFor !== null && remoteFor !== mailId) setRemoteFor(null);
  const allowsRemote = remoteFor !== null && remoteFor === mailId;
  const { views, wholes, error, retry } = useMessages(rows, openIds, allowsRemote);
  const [dialog, setDialog] = useState<Pick<SourceDialogProps, 'whole' | 'part'> | null>(null);
  const inline = useComposers().find(
    one => one.mode === 'inline' && rows.some(({ mail }) => mail.id === one.under),
  );
  const ownAddresses = useMemo(
    () => new Set([user?.email ?? '', ...(user?.addresses ?? [])].map(address => address.toLowerCase())),
    [user],
  );
  const unread = rows.filter(({ mail }) => openIds.has(mail.id) && !mail.read).map(({ mail }) => mail.id);
  const unreadKey = unread.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each set of unread mails that was opened
  useEffect(() => {
    if (unread.length > 0) onMark(unread, { kind: 'read', value: true });
  }, [unreadKey]);
  const answer = useRef<((kind: 'reply' | 'replyAll' | 'forward') => void) | null>(null);
  answer.current = null;
  useShortcuts({
    r: () => answer.current?.('reply'),
    a: () => answer.current?.('replyAll'),
    f: () => answer.current?.('forward'),
  });
  const isMissing = conversation.error instanceof CallError && conversation.error.status === 404;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mail that is missing
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing, mailId]);
  if (mailId === null || isMissing) return <ReaderEmpty />;
  if (conversation.isPending) return <ReaderSkeleton hasBack={hasBack} onBack={onBack} />;
  const problem = conversation.error ?? error;
  const first = rows.find(({ mail }) => mail.id === mailId) ?? rows.at(-1);
  if (problem !== null || first === undefined) {
    return (
      <ErrorState
        title={callErrorText(problem)}
        text="The message could not be fetched."
        onRetry={() => (error === null ? void conversation.refetch() : retry())}
      />
    );
  }
  // A folded message is opened first: one can answer it all the same.
  const withWhole = (id: string, work: (whole: WholeMail) => void) => {
    const whole = wholes.get(id);
    if (whole !== undefined) work(whole);
    else failSafe(cache.fetchQuery(wholeMailQuery(id)).then(work));
  };
  const lastId = rows.at(-1)?.mail.id ?? first.mail.id;
  const reply = (id: string, toAll: boolean) =>
    withWhole(id, whole => {
      // One answer at a time stands here; a second one would be hidden by it.
      if (inline !== undefined && !isUntouched(inline)) {
        changeComposer(inline.handle, { wantsFocus: true });
        return;
      }
      if (inline !== undefined) discardComposer(inline);
      openComposer(openReply(toAnswered(whole), ownAddresses, toAll), id);
    });
  const forward = (id: string) =>
    withWhole(id, whole =>
      openComposer(openForward(toAnswered(whole)), null, forwardedFiles(whole), copiedFiles(whole)),
    );
  answer.current = kind => (kind === 'forward' ? forward(lastId) : reply(lastId, kind === 'replyAll'));
  const show = (id: string, part: 'headers' | 'source') => withWhole(id, whole => setDialog({ whole, part }));
  const download = (id: string) =>
    withWhole(id, ({ mail, content }) => failSafe(saveSource(mail, content.parsed.subject ?? '')));
  return (
    <>
      <Reader
        key={mailId}
        conversation={{
          id: mailId,
          subject: subjectOf(first, wholes),
          tags: first.mail.tags.map(name => ({
            name,
            color: user?.tags.find(tag => tag.name === name)?.color ?? 'gray',
          })),
          starred: first.mail.starred,
          unread: !first.mail.read,
          messages: views,
          daysLeft: first.mail.deleted ? daysLeftOf(first.mail.deleted_at, new Date()) : null,
        }}
        openMessageIds={openIds}
        theme={theme}
        ownAddresses={ownAddresses}
        hasBack={hasBack}
        allowsRemote={allowsRemote}
        actions={{
          onBack,
          onArchive: () => onMarkConversation(first, { kind: 'archive', value: !first.mail.archived }),
          onDelete: () => onMarkConversation(first, { kind: 'delete' }),
          onRestore: first.mail.deleted ? () => onMarkConversation(first, { kind: 'restore' }) : undefined,
          onMarkUnread: () => {
            onMark([first.mail.id], { kind: 'read', value: false });
            onBack();
          },
          onStar: () => onMark([first.mail.id], { kind: 'star', value: !first.mail.starred }),
          onPrint: () => print(),
          onViewHeaders: () => show(lastId, 'headers'),
          onViewSource: () => show(lastId, 'source'),
          onDownloadRaw: () => download(lastId),
        }}
        messageActions={{
          onToggle: toggle,
          onReply: id => reply(id, false),
          onReplyAll: id => reply(id, true),
          onForward: forward,
          onViewHeaders: id => show(id, 'headers'),
          onViewSource: id => show(id, 'source'),
          onDownloadRaw: download,
          onDownloadAttachment: (id, file) =>
            withWhole(id, whole => failSafe(saveAttachment(whole, Number(file)))),
          onCompose: address => openComposer({ to: [{ name: '', address }] }),
        }}
        securityActions={{ onRetryDecrypt: retry }}
        onLoadRemoteOnce={() => setRemoteFor(mailId)}
        reply={inline === undefined ? undefined : <LazyComposerWindow composer={inline} />}
      />
      {dialog !== null && <SourceDialog {...dialog} onClose={() => setDialog(null)} />}
    </>
  );
}

const noRows: readonly MailRowData[] = [];

const subjectOf = (row: MailRowData, wholes: ReadonlyMap<string, WholeMail>): string =>
  wholes.get(row.mail.id)?.content.parsed.subject ?? row.opened.summary.subject;
