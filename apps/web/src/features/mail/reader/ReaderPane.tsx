// The reading pane, connected: the open conversation, which of its messages are unfolded, remote pictures, and what the
// buttons do. Opening marks as read.
import { CallError } from '@keyfold/contract/client';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { useCommands } from '../../../session/commands/commands.ts';
import { useUser } from '../../../session/state/current-user.ts';
import { useTheme } from '../../../theme/theme-mode.ts';
import { showToast } from '../../../ui/toasts.ts';
import { withProof } from '../../calendar/invite-proof.ts';
import { hasCalendar, useInvites } from '../../calendar/invite-queries.ts';
import { InviteSkeleton, LazyInviteSlot } from '../../calendar/LazyInviteSlot.tsx';
import { LazyComposerWindow } from '../../compose/LazyComposerWindow.tsx';
import {
  changeComposer,
  discardComposer,
  isUntouched,
  useComposers,
} from '../../compose/letters/composer-list.ts';
import { openComposer, openDraft } from '../../compose/letters/composers.ts';
import { ScheduledStrip } from '../../compose/sending/ScheduledStrip.tsx';
import { openForward, openReply } from '../../compose/text/answers.ts';
import { useAttachments, withStates } from '../attachments/use-attachments.ts';
import { saveSource } from '../state/attachments.ts';
import { bounceSubject } from '../state/bounce-words.ts';
import { useConversation } from '../state/conversation-query.ts';
import type { Offer } from '../state/mail-actions.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import { placeOf } from '../state/mail-places.ts';
import type { Mark } from '../state/marks.ts';
import { type WholeMail, wholeMailQuery } from '../state/queries.ts';
import { daysLeftOf } from '../state/row-view.ts';
import type { MessageView } from '../state/view-model.ts';
import { quotedFiles, toAnswered } from './answered-mail.ts';
import { lastReceived } from './last-received.ts';
import { readMailto } from './mailto.ts';
import { bringOpened, findNextMessage, focusMessage } from './message-steps.ts';
import { attachmentId, canBeAnswered, toAttachmentViews } from './message-view.ts';
import { toPrinted } from './print/printed-message.ts';
import { Reader } from './Reader.tsx';
import { ReaderEmpty } from './ReaderEmpty.tsx';
import { ReaderProblem } from './ReaderProblem.tsx';
import { ReaderSkeleton } from './ReaderSkeleton.tsx';
import { calendarMails, withoutCardFiles } from './reader-invites.ts';
import { SourceDialog, type SourceDialogProps } from './SourceDialog.tsx';
import { blockSender, senderOf } from './safety/block-sender.ts';
import { useSenderPermissions } from './safety/use-sender-permissions.ts';
import { useContactActions } from './use-contact-actions.tsx';
import { useMessages } from './use-messages.ts';

export type ReaderPaneProps = {
  mailId: string | null;
  hasBack: boolean;
  onBack: () => void;
  /** The mail is not there (any more): a link or a bookmark outlived it. */
  onMissing: () => void;
  /** Does something with the whole conversation and, when it leaves the list, moves on. */
  onAct: (row: MailRowData, offer: Offer, anchor: Element) => void;
  onMark: (ids: readonly string[], mark: Mark) => void;
};

/** Which messages are unfolded: the last and the unread ones at first, then as the reader wishes. */
function useOpenMessages(mailId: string | null, rows: readonly MailRowData[], isWhole: boolean) {
  const [state, setState] = useState<{ mailId: string | null; isWhole: boolean; ids: ReadonlySet<string> }>({
    mailId: null,
    isWhole: false,
    ids: new Set(),
  });
  if ((state.mailId !== mailId || (isWhole && !state.isWhole)) && rows.length > 0) {
    const last = rows.findLast(({ mail }) => !mail.draft);
    const ids = rows
      .filter(({ mail }) => !mail.draft && (mail.id === mailId || (!mail.read && !mail.sent)))
      .map(({ mail }) => mail.id);
    setState({ mailId, isWhole, ids: new Set(last === undefined ? ids : [...ids, last.mail.id]) });
  }
  const toggle = (id: string) =>
    setState(before => {
      const ids = new Set(before.ids);
      if (!ids.delete(id)) ids.add(id);
      return { ...before, ids };
    });
  const unfold = (ids: readonly string[]) =>
    setState(before => ({ ...before, ids: new Set([...before.ids, ...ids]) }));
  return { openIds: state.ids, toggle, unfold };
}

function failSafe(work: Promise<unknown>): void {
  work.catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}

const NewRuleDialog = lazy(async () => ({
  default: (await loadChunk('rule', () => import('../../rules/NewRuleDialog.tsx'))).NewRuleDialog,
}));

const FileOpener = lazy(async () => ({
  default: (await loadChunk('lightbox', () => import('./attached/FileOpener.tsx'))).FileOpener,
}));

/** The right pane. */
export function ReaderPane(props: ReaderPaneProps) {
  const { mailId, hasBack, onBack, onMissing, onAct, onMark } = props;
  const [ruleFor, setRuleFor] = useState<string | null>(null);
  const theme = useTheme();
  const user = useUser();
  const cache = useQueryClient();
  const conversation = useConversation(mailId);
  const composers = useComposers();
  const written = new Set(composers.map(({ session }) => session.state().draftId));
  const writtenKey = [...written].join();
  // A draft that is open in a composer is not shown a second time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the set
  const rows = useMemo(
    () => (conversation.data ?? noRows).filter(({ mail }) => !mail.draft || !written.has(mail.id)),
    [conversation.data, writtenKey],
  );
  const { openIds, toggle, unfold } = useOpenMessages(mailId, rows, !conversation.isPlaceholderData);
  const permissions = useSenderPermissions(mailId);
  const { views, wholes, error, retry, isRetrying } = useMessages(rows, openIds, permissions.allowsRemote);
  const files = useAttachments();
  const contacts = useContactActions();
  const [preview, setPreview] = useState<{ mailId: string; fileId: string } | null>(null);
  const { invites: found, pending: pendingInvites } = useInvites(calendarMails(rows, wholes));
  const proven = new Set(views.filter(view => view.security?.isSenderProven).map(view => view.id));
  const invites = withProof(found, id => proven.has(id));
  const [dialog, setDialog] = useState<Pick<SourceDialogProps, 'whole' | 'part'> | null>(null);
  const inline = composers.find(
    one => one.mode === 'inline' && rows.some(({ mail }) => mail.id === one.under),
  );
  const ownAddresses = useMemo(
    () => new Set([user?.email ?? '', ...(user?.addresses ?? [])].map(address => address.toLowerCase())),
    [user],
  );
  // Opening is not reading: a body that cannot be fetched, as offline, was read by nobody.
  const problem = conversation.error ?? error;
  const isShown =
    problem === null && views.every(({ id, body }) => !openIds.has(id) || body.kind !== 'loading');
  const unread = rows.flatMap(({ mail }) => (isShown && openIds.has(mail.id) && !mail.read ? [mail.id] : []));
  const unreadKey = unread.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each set of unread mails that came to be shown
  useEffect(() => {
    if (unread.length > 0) onMark(unread, { kind: 'read', value: true });
  }, [unreadKey]);
  const answer = useRef<((kind: 'reply' | 'replyAll' | 'forward') => void) | null>(null);
  answer.current = null;
  const readable = rows.flatMap(({ mail }) => (mail.draft ? [] : [mail.id]));
  const step = (by: 1 | -1) => {
    const pane = document.querySelector('[data-conversation]');
    const next = pane === null ? null : findNextMessage(pane, by);
    if (pane === null || next === null) return;
    if (readable.includes(next)) unfold([next]);
    requestAnimationFrame(() => focusMessage(pane, next));
  };
  const isReading = () => answer.current !== null;
  useCommands([
    { id: 'reply', run: () => answer.current?.('reply'), isEnabled: isReading },
    { id: 'replyAll', run: () => answer.current?.('replyAll'), isEnabled: isReading },
    { id: 'forward', run: () => answer.current?.('forward'), isEnabled: isReading },
    { id: 'nextMessage', run: () => step(1), isEnabled: isReading },
    { id: 'previousMessage', run: () => step(-1), isEnabled: isReading },
    { id: 'unfoldAll', run: () => unfold(readable), isEnabled: isReading },
  ]);
  const isMissing = conversation.error instanceof CallError && conversation.error.status === 404;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mail that is missing
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing, mailId]);
  if (mailId === null || isMissing) return <ReaderEmpty />;
  if (conversation.isPending) return <ReaderSkeleton hasBack={hasBack} onBack={onBack} />;
  const first = rows.find(({ mail }) => mail.id === mailId) ?? rows.at(-1);
  if (problem !== null || first === undefined) {
    return (
      <ReaderProblem
        problem={problem}
        hasBack={hasBack}
        onBack={onBack}
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
  const place = placeOf(first.mail);
  const sender = senderOf(rows, ownAddresses);
  const lastId = readable.at(-1) ?? first.mail.id;
  const reply = (id: string, toAll: boolean) =>
    withWhole(id, whole => {
      // One answer at a time stands here; a second one would be hidden by it.
      if (inline !== undefined && !isUntouched(inline)) {
        changeComposer(inline.handle, { wantsFocus: true });
        return;
      }
      if (inline !== undefined) discardComposer(inline);
      const { stored, pictures } = quotedFiles(whole, false);
      openComposer({ ...openReply(toAnswered(whole), ownAddresses, toAll), pictures }, id, stored);
    });
  const forwardThese = (ids: readonly string[]) =>
    failSafe(
      Promise.all(ids.map(id => wholes.get(id) ?? cache.fetchQuery(wholeMailQuery(id)))).then(mails => {
        const opening = openForward(mails.map(toAnswered), ownAddresses);
        const quoted = mails.map(mail => quotedFiles(mail, true));
        const pictures = quoted.flatMap(one => one.pictures);
        const stored = quoted.flatMap(one => one.stored);
        const copied = quoted.flatMap(one => one.copied);
        openComposer({ ...opening, pictures }, null, stored, copied);
      }),
    );
  const forward = (id: string) => forwardThese([id]);
  const forwardedId = lastReceived(views, ownAddresses)?.id ?? lastId;
  const lastView = views.find(({ id }) => id === lastId);
  answer.current = kind => {
    if (kind === 'forward') forward(forwardedId);
    else if (lastView === undefined || canBeAnswered(lastView)) reply(lastId, kind === 'replyAll');
  };
  // What was opened before may be an older state of the draft.
  const editDraft = (id: string) =>
    openDraft(id, () => cache.fetchQuery({ ...wholeMailQuery(id), staleTime: 0 }));
  const subject = subjectOf(first, wholes);
  const printThese = (messages: readonly MessageView[]) =>
    failSafe(
      loadChunk('print', () => import('./print/print-messages.ts')).then(({ printMessages }) =>
        printMessages(
          subject || t('(No subject)'),
          messages.map(message => toPrinted(message, subject || t('(No subject)'))),
        ),
      ),
    );
  const show = (id: string, part: 'headers' | 'source') => withWhole(id, whole => setDialog({ whole, part }));
  const download = (id: string) =>
    withWhole(id, ({ mail, content }) => failSafe(saveSource(mail, content.parsed.subject ?? '')));
  const previewed = preview === null ? undefined : wholes.get(preview.mailId);
  return (
    <>
      <Reader
        key={mailId}
        conversation={{
          id: mailId,
          subject,
          isSubjectUnproven: (wholes.get(first.mail.id)?.content ?? first.opened).failed !== null,
          tags: first.mail.tags.map(name => ({
            name,
            color: user?.tags.find(tag => tag.name === name)?.color ?? 'gray',
          })),
          starred: first.mail.starred,
          place,
          unread: !first.mail.read,
          messages: views.map(view => {
            const shown = withoutCardFiles(view, invites);
            return { ...shown, attachments: withStates(view.id, shown.attachments, files) };
          }),
          daysLeft: first.mail.deleted ? daysLeftOf(first.mail.deleted_at, new Date()) : null,
        }}
        openMessageIds={openIds}
        theme={theme}
        ownAddresses={ownAddresses}
        hasBack={hasBack}
        permissions={permissions}
        packing={files.packing}
        actions={{
          onBack,
          onAct: (offer, anchor) => onAct(first, offer, anchor),
          onMakeRule: sender === null ? undefined : () => setRuleFor(sender),
          onBlockSender: sender === null ? undefined : () => failSafe(blockSender(sender)),
          onForwardAll: readable.length > 1 ? () => forwardThese(readable) : undefined,
          onPrint: () => printThese(views.filter(view => openIds.has(view.id))),
          onViewHeaders: () => show(lastId, 'headers'),
          onViewSource: () => show(lastId, 'source'),
          onDownloadRaw: () => download(lastId),
        }}
        messageActions={{
          onToggle: id => {
            if (!readable.includes(id)) return editDraft(id);
            toggle(id);
            if (!openIds.has(id)) bringOpened(id);
          },
          onPrint: id => printThese(views.filter(view => view.id === id)),
          onReply: id => reply(id, false),
          onReplyAll: id => reply(id, true),
          onForward: forward,
          onViewHeaders: id => show(id, 'headers'),
          onViewSource: id => show(id, 'source'),
          onDownloadRaw: download,
          onDownloadAttachment: (id, file) => withWhole(id, whole => files.save(whole, file)),
          onPreviewAttachment: (id, file) => setPreview({ mailId: id, fileId: file }),
          onSaveAllAttachments: id =>
            withWhole(id, whole =>
              files.saveAll(
                whole,
                toAttachmentViews(whole.content.parsed)
                  .filter(file => !file.isUnpacked)
                  .map(file => file.id),
              ),
            ),
          onAddContact: id => contacts.save(views.find(view => view.id === id)),
          onCompose: mailto => openComposer(readMailto(mailto)),
        }}
        isRetryingDecrypt={isRetrying}
        securityActions={{ onRetryDecrypt: retry, onVerify: contacts.verify }}
        inviteFor={message => {
          const whole = wholes.get(message.id);
          if (whole === undefined || !hasCalendar(whole)) return null;
          const invite = invites.find(one => one.mailId === message.id);
          if (invite === undefined) return pendingInvites.has(message.id) ? <InviteSkeleton /> : null;
          return (
            <LazyInviteSlot
              invite={invite}
              all={invites}
              ownAddresses={ownAddresses}
              isSenderDoubtful={message.security?.kind === 'unproven'}
              onDownload={() => files.save(whole, attachmentId(invite.files[0] ?? 0))}
            />
          );
        }}
        notice={
          first.mail.scheduled &&
          first.mail.send_at !== null && (
            <ScheduledStrip
              mailId={first.mail.id}
              sendAt={first.mail.send_at}
              onLeft={() => {
                void cache.invalidateQueries();
                onBack();
              }}
            />
          )
        }
        reply={inline === undefined ? undefined : <LazyComposerWindow composer={inline} />}
      />
      {contacts.dialog}
      {preview !== null && previewed !== undefined && (
        <Suspense>
          <FileOpener
            owner={previewed}
            fileId={preview.fileId}
            work={files}
            theme={theme}
            onCompose={mailto => openComposer(readMailto(mailto))}
            onClose={() => setPreview(null)}
          />
        </Suspense>
      )}
      {ruleFor !== null && (
        <Suspense>
          <NewRuleDialog sender={ruleFor} onClose={() => setRuleFor(null)} />
        </Suspense>
      )}
      {dialog !== null && (
        <SourceDialog
          {...dialog}
          onDownload={() => download(dialog.whole.mail.id)}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

const noRows: readonly MailRowData[] = [];

function subjectOf(row: MailRowData, wholes: ReadonlyMap<string, WholeMail>): string {
  const subject = wholes.get(row.mail.id)?.content.parsed.subject ?? row.opened.summary.subject;
  // A notice of our own has a subject that is known in every language (notice-words.ts).
  return row.mail.alert ? t(subject) : bounceSubject(subject);
}
