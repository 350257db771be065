// Opens an attachment: pictures, text and PDF files in the lightbox, messages as messages.
import { Lightbox } from '../../attachments/Lightbox.tsx';
import { previewKindOf } from '../../attachments/preview-kind.ts';
import type { AttachmentWork, FileOwner } from '../../attachments/use-attachments.ts';
import type { AttachmentView } from '../../state/view-model.ts';
import { toAttachmentViews } from '../message-view.ts';
import { AttachedMessage } from './AttachedMessage.tsx';

export type FileOpenerProps = {
  owner: FileOwner;
  fileId: string;
  /**
   * Id of the message and the positions of the nested files that lead to the owner; only the
   * message when absent.
   */
  path?: readonly string[];
  work: AttachmentWork;
  theme: 'light' | 'dark';
  onCompose: (mailto: string) => void;
  onClose: () => void;
};

const isMessage = ({ mimeType, name }: AttachmentView): boolean =>
  previewKindOf(mimeType, name, 0) === 'message';

/** Covers the page until it is closed. */
export function FileOpener(props: FileOpenerProps) {
  const { owner, fileId, path = [owner.mail.id], work, theme, onCompose, onClose } = props;
  const files = toAttachmentViews(owner.content.parsed).filter(file => file.canPreview);
  const file = files.find(({ id }) => id === fileId);
  if (file === undefined) return null;
  const open = (id: string) => work.open(owner, id);
  const save = (id: string) => work.save(owner, id);
  if (!isMessage(file))
    return (
      <Lightbox
        files={files.filter(one => !isMessage(one))}
        startId={fileId}
        open={open}
        onSave={save}
        onClose={onClose}
      />
    );
  return (
    <AttachedMessage
      key={fileId}
      name={file.name}
      path={[...path, fileId]}
      open={() => open(fileId)}
      theme={theme}
      onSave={() => save(fileId)}
      onCompose={onCompose}
      fileOpener={file => <FileOpener {...file} theme={theme} onCompose={onCompose} />}
      onClose={onClose}
    />
  );
}
