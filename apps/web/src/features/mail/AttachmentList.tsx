// The files under a message: a card for each, and one button for all of them.
import { FileArchive } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { Button } from '../../ui/Button.tsx';
import { AttachmentCard } from './AttachmentCard.tsx';
import type { AttachmentView } from './view-model.ts';

interface AttachmentListProps {
  attachments: readonly AttachmentView[];
  isPacking: boolean;
  onDownload: (id: string) => void;
  onPreview: (id: string) => void;
  onSaveAll: () => void;
}

/** Nothing when there are no files. */
export function AttachmentList({
  attachments,
  isPacking,
  onDownload,
  onPreview,
  onSaveAll,
}: AttachmentListProps) {
  if (attachments.length === 0) return null;
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
              {isPacking ? t('Packing…') : t('Save all')}
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
    </div>
  );
}
