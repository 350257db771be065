// The reading pane connected to its data: the open conversation, its expanded messages, remote
// pictures, and what the buttons do. Opening a conversation marks it as read.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTheme } from '../../../theme/theme-mode.ts';
import { LazyComposerWindow } from '../../compose/LazyComposerWindow.tsx';
import { ScheduledStrip } from '../../compose/sending/ScheduledStrip.tsx';
import { useAttachments } from '../attachments/use-attachments.ts';
import type { FlagChange } from '../state/flag-changes.ts';
import type { Offer } from '../state/mail-actions.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import { toConversationView } from './conversation/conversation-view.ts';
import { useOpenConversation, useReading } from './conversation/use-open-conversation.ts';
import { Reader } from './Reader.tsx';
import { type ReaderDialog, ReaderDialogs } from './ReaderDialogs.tsx';
import { ReaderEmpty } from './ReaderEmpty.tsx';
import { ReaderProblem } from './ReaderProblem.tsx';
import { ReaderSkeleton } from './ReaderSkeleton.tsx';
import { conversationActions, downloadMail, messageActions } from './reader-actions.ts';
import { useReaderInvites } from './reader-invites.tsx';
import { useAnswers } from './use-answers.ts';
import { useContactActions } from './use-contact-actions.tsx';

export type ReaderPaneProps = {
  mailId: string | null;
  hasBack: boolean;
  onBack: () => void;
  /** Called when the message does not exist (anymore), as with an outdated link or bookmark. */
  onMissing: () => void;
  /**
   * Performs an action on the whole conversation and moves on when the conversation leaves the
   * list.
   */
  onAct: (row: MailRowData, offer: Offer, anchor: Element) => void;
  onChange: (ids: readonly string[], change: FlagChange) => void;
};

export function ReaderPane(props: ReaderPaneProps) {
  const { mailId, hasBack, onBack, onMissing, onAct, onChange } = props;
  const theme = useTheme();
  const cache = useQueryClient();
  const open = useOpenConversation(mailId);
  const files = useAttachments();
  const contacts = useContactActions();
  const { invites, inviteFor } = useReaderInvites(open, files);
  const [dialog, setDialog] = useState<ReaderDialog | null>(null);
  useReading(open, onChange);
  const answers = useAnswers(open);
  const { phase, isMissing, first, inline } = open;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each mail that is missing
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing, mailId]);
  if (mailId === null || phase === 'empty') return <ReaderEmpty />;
  if (phase === 'loading') return <ReaderSkeleton hasBack={hasBack} onBack={onBack} />;
  if (phase === 'failed' || first === undefined) {
    return (
      <ReaderProblem problem={open.problem} hasBack={hasBack} onBack={onBack} onRetry={open.fetchAgain} />
    );
  }
  // A dialog whose data loads late must not replace a rule that is being edited.
  const onDialog = (next: ReaderDialog) => setDialog(now => (now?.kind === 'rule' ? now : next));
  const needs = { cache, open, answers, files, contacts, onAct, onBack, onDialog };
  return (
    <>
      <Reader
        key={mailId}
        conversation={{ id: mailId, ...toConversationView(first, open, invites, files) }}
        openMessageIds={open.openIds}
        theme={theme}
        ownAddresses={open.ownAddresses}
        hasBack={hasBack}
        permissions={open.permissions}
        packing={files.packing}
        actions={conversationActions(needs, first)}
        messageActions={messageActions(needs, first)}
        isRetryingDecrypt={open.isRetrying}
        securityActions={{ onRetryDecrypt: open.retry, onVerify: contacts.verify }}
        inviteFor={inviteFor}
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
      <ReaderDialogs
        dialog={dialog}
        wholes={open.wholes}
        files={files}
        theme={theme}
        onDownload={id => downloadMail(open, id)}
        onClose={() => setDialog(null)}
      />
    </>
  );
}
