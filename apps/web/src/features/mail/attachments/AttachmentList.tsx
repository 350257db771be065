// The attachments below a message: a card for each, and one button that downloads all.
import { Download, FileArchive } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { formatSize } from '../../../lib/sizes.ts';
import { Button } from '../../../ui/Button.tsx';
import type { AttachmentView } from '../state/view-model.ts';
import { AttachmentCard } from './AttachmentCard.tsx';

type AttachmentListProps = {
  attachments: readonly AttachmentView[];
  isPacking: boolean;
  onDownload: (id: string) => void;
  onPreview: (id: string) => void;
  onSaveAll: () => void;
};

/** Renders nothing without files. An unpacked envelope has no card; its contents do. */
export function AttachmentList({
  attachments: all,
  isPacking,
  onDownload,
  onPreview,
  onSaveAll,
}: AttachmentListProps) {
  if (all.length === 0) return null;
  const attachments = all.filter(({ isUnpacked }) => !isUnpacked);
  const envelopes = all.filter(({ isUnpacked }) => isUnpacked);
  const totalBytes = attachments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div className="mt-4 border-t border-line pt-3">
      {attachments.length > 1 && (
        <div className="mb-2 flex flex-wrap items-center gap-2 text-control text-ink-2">
          <span className="flex-1 tabular-nums">
            {t('{count, plural, one {# attachment} other {# attachments}}, {size}', {
              count: attachments.length,
              size: formatSize(totalBytes),
            })}
          </span>
          <span className="print:hidden">
            <Button variant="quiet" size="sm" busy={isPacking} onClick={onSaveAll}>
              <FileArchive size={15} />
              {isPacking ? t('Creating ZIP file…') : t('Save all')}
            </Button>
          </span>
        </div>
      )}
      <ul aria-label={t('Attachments')} className="flex flex-wrap gap-2.5">
        {attachments.map(attachment => (
          <AttachmentCard
            key={attachment.id}
            attachment={attachment}
            onDownload={onDownload}
            onPreview={onPreview}
          />
        ))}
      </ul>
      {envelopes.map(({ id, name, sizeBytes, state }) => (
        <p key={id} className="mt-2 print:hidden">
          <Button variant="quiet" size="sm" busy={state === 'loading'} onClick={() => onDownload(id)}>
            <Download size={15} />
            {t('Save original ({name}, {size})', { name, size: formatSize(sizeBytes) })}
          </Button>
        </p>
      ))}
    </div>
  );
}
