/**
 * Dialogs over the reader: a rule about the sender, an attachment, or the headers or source of a
 * message.
 */
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { openComposer } from '../../compose/windows/composers.ts';
import type { AttachmentWork } from '../attachments/use-attachments.ts';
import type { WholeMail } from '../state/queries.ts';
import { readMailto } from './mailto.ts';
import { SourceDialog } from './SourceDialog.tsx';

const NewRuleDialog = lazy(async () => ({
  default: (await loadChunk('rule', () => import('../../rules/NewRuleDialog.tsx'))).NewRuleDialog,
}));

const FileOpener = lazy(async () => ({
  default: (await loadChunk('lightbox', () => import('./attached/FileOpener.tsx'))).FileOpener,
}));

export type ReaderDialog =
  | { readonly kind: 'rule'; readonly sender: string }
  | { readonly kind: 'file'; readonly mailId: string; readonly fileId: string }
  | { readonly kind: 'source'; readonly whole: WholeMail; readonly part: 'headers' | 'source' };

type ReaderDialogsProps = {
  dialog: ReaderDialog | null;
  wholes: ReadonlyMap<string, WholeMail>;
  files: AttachmentWork;
  theme: 'light' | 'dark';
  onDownload: (id: string) => void;
  onClose: () => void;
};

/** The dialog that is open. */
export function ReaderDialogs({ dialog, wholes, files, theme, onDownload, onClose }: ReaderDialogsProps) {
  if (dialog?.kind === 'rule')
    return (
      <Suspense>
        <NewRuleDialog sender={dialog.sender} onClose={onClose} />
      </Suspense>
    );
  if (dialog?.kind === 'source') {
    const { whole, part } = dialog;
    return (
      <SourceDialog
        whole={whole}
        part={part}
        onDownload={() => onDownload(whole.mail.id)}
        onClose={onClose}
      />
    );
  }
  const owner = dialog === null ? undefined : wholes.get(dialog.mailId);
  if (dialog === null || owner === undefined) return null;
  return (
    <Suspense>
      <FileOpener
        owner={owner}
        fileId={dialog.fileId}
        work={files}
        theme={theme}
        onCompose={mailto => openComposer(readMailto(mailto))}
        onClose={onClose}
      />
    </Suspense>
  );
}
