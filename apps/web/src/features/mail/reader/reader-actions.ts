/**
 * Actions of the reader's toolbar on the conversation, and of the buttons and menus of a message on
 * that message.
 */
import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { openComposer, openDraft } from '../../compose/windows/composers.ts';
import type { AttachmentWork } from '../attachments/use-attachments.ts';
import { saveSource } from '../state/attachments.ts';
import type { Offer } from '../state/mail-actions.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import { wholeMailQuery } from '../state/queries.ts';
import type { MessageView } from '../state/view-model.ts';
import { subjectOf } from './conversation/conversation-view.ts';
import { failSafe, type OpenConversation } from './conversation/use-open-conversation.ts';
import type { MessageActions } from './MessageCard.tsx';
import { readMailto } from './mailto.ts';
import { bringOpened } from './message-steps.ts';
import { toAttachmentViews } from './message-view.ts';
import { toPrinted } from './print/printed-message.ts';
import type { ReaderDialog } from './ReaderDialogs.tsx';
import type { ReaderActions } from './ReaderToolbar.tsx';
import { blockSender, senderOf } from './safety/block-sender.ts';
import type { Answers } from './use-answers.ts';
import type { ContactActions } from './use-contact-actions.tsx';

/** Dependencies of the actions. */
type ActionNeeds = {
  readonly cache: QueryClient;
  readonly open: OpenConversation;
  readonly answers: Answers;
  readonly files: AttachmentWork;
  readonly contacts: ContactActions;
  readonly onBack: () => void;
  readonly onAct: (row: MailRowData, offer: Offer, anchor: Element) => void;
  readonly onDialog: (dialog: ReaderDialog) => void;
};

/** Saves a message exactly as the server stores it. */
export const downloadMail = ({ withWhole }: OpenConversation, id: string): void =>
  withWhole(id, ({ mail, content }) => failSafe(saveSource(mail, content.parsed.subject ?? '')));

const showSource = ({ open, onDialog }: ActionNeeds, id: string, part: 'headers' | 'source'): void =>
  open.withWhole(id, whole => onDialog({ kind: 'source', whole, part }));

function print({ open }: ActionNeeds, first: MailRowData, isPrinted: (view: MessageView) => boolean): void {
  const subject = subjectOf(first, open.wholes) || t('(No subject)');
  const messages = open.views.filter(isPrinted);
  failSafe(
    loadChunk('print', () => import('./print/print-messages.ts')).then(({ printMessages }) =>
      printMessages(
        subject,
        messages.map(message => toPrinted(message, subject)),
      ),
    ),
  );
}

/** Returns the actions on the conversation, identified by the message that was opened. */
export function conversationActions(needs: ActionNeeds, first: MailRowData): ReaderActions {
  const { open, answers, onAct, onBack, onDialog } = needs;
  const { rows, ownAddresses, readable, lastId, openIds } = open;
  const sender = senderOf(rows, ownAddresses);
  return {
    onBack,
    onAct: (offer, anchor) => onAct(first, offer, anchor),
    onMakeRule: sender === null ? undefined : () => onDialog({ kind: 'rule', sender }),
    onBlockSender: sender === null ? undefined : () => failSafe(blockSender(sender)),
    onForwardAll: readable.length > 1 ? () => answers.forward(readable) : undefined,
    onPrint: () => print(needs, first, ({ id }) => openIds.has(id)),
    onViewHeaders: () => showSource(needs, lastId, 'headers'),
    onViewSource: () => showSource(needs, lastId, 'source'),
    onDownloadRaw: () => downloadMail(open, lastId),
  };
}

/** Returns the actions on one message. */
export function messageActions(needs: ActionNeeds, first: MailRowData): MessageActions {
  const { cache, open, answers, files, contacts, onDialog } = needs;
  const { views, readable, openIds, toggle, withWhole } = open;
  return {
    onToggle: id => {
      // The cached content may be an older version of the draft.
      if (!readable.includes(id))
        return openDraft(id, () => cache.fetchQuery({ ...wholeMailQuery(id), staleTime: 0 }));
      toggle(id);
      if (!openIds.has(id)) bringOpened(id);
    },
    onPrint: id => print(needs, first, view => view.id === id),
    onReply: id => answers.reply(id, false),
    onReplyAll: id => answers.reply(id, true),
    onForward: id => answers.forward([id]),
    onViewHeaders: id => showSource(needs, id, 'headers'),
    onViewSource: id => showSource(needs, id, 'source'),
    onDownloadRaw: id => downloadMail(open, id),
    onDownloadAttachment: (id, file) => withWhole(id, whole => files.save(whole, file)),
    onPreviewAttachment: (mailId, fileId) => onDialog({ kind: 'file', mailId, fileId }),
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
  };
}
