// Shows a message that is attached to another one: its claimed sender, its text and its files.
// Attached messages among these open the same way. Attached messages are not authenticated, and the
// view says so.
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Download, MailQuestion } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OpenReason } from '../../../../crypto/mail/containers-client.ts';
import { openContainerFile } from '../../../../crypto/mail/containers-client.ts';
import { t } from '../../../../lib/language.ts';
import { Banner } from '../../../../ui/Banner.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { Spinner } from '../../../../ui/Spinner.tsx';
import { AttachmentList } from '../../attachments/AttachmentList.tsx';
import { PreviewProblem } from '../../attachments/PreviewProblem.tsx';
import {
  type AttachmentWork,
  type FileOwner,
  useAttachments,
  withStates,
} from '../../attachments/use-attachments.ts';
import { MessageBody } from '../MessageBody.tsx';
import { toAttachmentViews } from '../message-view.ts';
import { AttachedHead } from './AttachedHead.tsx';
import { useAttachedBody } from './use-attached-body.ts';

/** Maximum nesting depth of messages that are opened; deeper ones can only be saved. */
const DEPTH_MAX = 8;

export type OpenedFile = {
  owner: FileOwner;
  fileId: string;
  path: readonly string[];
  work: AttachmentWork;
  onClose: () => void;
};

export type AttachedMessageProps = {
  /** File name. */
  name: string;
  /** Id of the message, then the position of each nested file on the way to this one. */
  path: readonly string[];
  open: () => Promise<Blob>;
  theme: 'light' | 'dark';
  onSave: () => void;
  onCompose: (mailto: string) => void;
  /**
   * Returns the view that opens a file of this message; for an attached message, another
   * AttachedMessage.
   */
  fileOpener: (file: OpenedFile) => ReactNode;
  onClose: () => void;
};

const reasonText = (reason: OpenReason): string =>
  reason === 'not_a_message'
    ? t('This file can’t be opened as a message. Save it to open it in another app.')
    : reason === 'too_large'
      ? t('This message is too large to open here. Save it to open it in another app.')
      : reason === 'damaged'
        ? t('This message is damaged and can’t be opened. You can still save it.')
        : t('Couldn’t open this message.');

/** A window over the page. A nested one has a back button. */
export function AttachedMessage(props: AttachedMessageProps) {
  const { name, path, open, theme, onSave, onCompose, fileOpener, onClose } = props;
  const [showsDark, setShowsDark] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const work = useAttachments();
  const { data, error, refetch } = useQuery({
    queryKey: ['attached-message', ...path],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => openContainerFile(await open()),
  });
  const parsed = data?.kind === 'opened' ? data.value : null;
  const { body, remote } = useAttachedBody(parsed);
  const isInside = path.length > 2;
  const owner = parsed === null ? null : { mail: { id: path.join('/') }, content: { parsed } };
  const files = parsed === null ? [] : toAttachmentViews(parsed);
  const shownFiles = path.length > DEPTH_MAX ? files.map(file => ({ ...file, canPreview: false })) : files;
  const reason = error !== null ? 'failed' : data?.kind === 'refused' ? data.reason : null;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={parsed === null ? name : (parsed.subject ?? t('(No subject)'))}
      footer={
        <>
          {isInside && (
            <Button variant="quiet" onClick={onClose} className="me-auto">
              <ArrowLeft size={16} className="rtl:-scale-x-100" />
              {t('Back')}
            </Button>
          )}
          <Button variant="outline" onClick={onSave}>
            <Download size={16} />
            {t('Save')}
          </Button>
        </>
      }
    >
      {reason !== null && (
        <PreviewProblem text={reasonText(reason)}>
          {reason === 'failed' && (
            <Button variant="outline" onClick={() => void refetch()}>
              {t('Try again')}
            </Button>
          )}
        </PreviewProblem>
      )}
      {reason === null && parsed === null && (
        <div className="grid min-h-24 place-items-center" role="status" aria-label={t('Loading')}>
          <Spinner />
        </div>
      )}
      {parsed !== null && owner !== null && (
        <>
          <AttachedHead parsed={parsed} />
          <div className="my-3.5">
            <Banner tone="neutral" icon={<MailQuestion size={16} />}>
              {t('This message is an attached file. Its sender and date can’t be confirmed.')}
            </Banner>
          </div>
          <MessageBody
            body={body}
            theme={theme}
            showsDark={showsDark}
            onShowDark={setShowsDark}
            onCompose={onCompose}
          />
          {remote !== null && (
            <p className="mt-3 text-meta text-ink-3">
              {t('Remote images aren’t loaded in attached messages.')}
            </p>
          )}
          <AttachmentList
            attachments={withStates(owner.mail.id, shownFiles, work)}
            isPacking={work.packing !== null}
            onDownload={id => work.save(owner, id)}
            onPreview={setOpened}
            onSaveAll={() =>
              work.saveAll(
                owner,
                files.filter(file => !file.isUnpacked).map(({ id }) => id),
              )
            }
          />
          {opened !== null &&
            fileOpener({ owner, fileId: opened, path, work, onClose: () => setOpened(null) })}
        </>
      )}
    </Dialog>
  );
}
