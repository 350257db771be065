// One attachment of an opened message: type, size, preview and download. The whole card is one
// button; download has a separate one.
import { Download, FileText, FileType2, Image, Mail, Paperclip, RotateCw } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { formatSize } from '../../../lib/sizes.ts';
import { joinParts } from '../../../lib/words.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { ProgressRing } from '../../../ui/ProgressRing.tsx';
import type { AttachmentView } from '../state/view-model.ts';
import { previewKindOf } from './preview-kind.ts';

const icons = { image: Image, pdf: FileType2, text: FileText, message: Mail } as const;

/** Returns the extension of a file name, up to four characters in capitals. */
const endingOf = (name: string): string => /\.([A-Za-z0-9]{1,4})$/.exec(name)?.[1]?.toUpperCase() ?? '';

type AttachmentCardProps = {
  attachment: AttachmentView;
  onDownload: (id: string) => void;
  onPreview: (id: string) => void;
};

export function AttachmentCard({ attachment, onDownload, onPreview }: AttachmentCardProps) {
  const { id, name, sizeBytes, mimeType, state, progressPercent, canPreview } = attachment;
  const kind = previewKindOf(mimeType, name, 0);
  const Icon = kind === null ? Paperclip : icons[kind];
  const failed = state === 'failed';
  const act = () => (canPreview ? onPreview(id) : onDownload(id));
  return (
    <li className="relative flex w-[240px] max-w-full items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 py-2 hover:bg-hover max-pane:w-full">
      <span
        aria-hidden
        className="relative grid size-9 shrink-0 place-items-center rounded-nav bg-well text-ink-2"
      >
        {state === 'loading' ? <ProgressRing percent={progressPercent} size={28} /> : <Icon size={17} />}
      </span>
      <button
        type="button"
        aria-busy={state === 'loading' || undefined}
        onClick={act}
        className="min-w-0 flex-1 text-start after:absolute after:inset-0 after:rounded-control"
      >
        <span className="sr-only">
          {canPreview
            ? kind === 'message'
              ? t('Open {name}', { name })
              : t('Preview {name}', { name })
            : t('Save {name}', { name })}
        </span>
        <span aria-hidden className="block truncate" title={name} dir="auto">
          {name}
        </span>
        {failed ? (
          <span className="block text-meta text-danger">{t('Couldn’t be decrypted. Try again')}</span>
        ) : (
          <span className="block text-meta leading-4 text-ink-3 tabular-nums">
            {joinParts([endingOf(name), formatSize(sizeBytes)])}
          </span>
        )}
      </button>
      <span className="relative z-10 print:hidden">
        <IconButton
          label={failed ? t('Try again: {name}', { name }) : t('Save {name}', { name })}
          busy={state === 'loading'}
          onClick={() => onDownload(id)}
        >
          {failed ? <RotateCw size={16} /> : <Download size={16} />}
        </IconButton>
      </span>
    </li>
  );
}
