/**
 * The files of a draft with their state: encrypting on this device, uploading, uploaded, or failed.
 */
import { CircleCheck, Paperclip, RotateCw, X } from 'lucide-react';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { formatSize } from '../../../lib/sizes.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Progress } from '../../../ui/Progress.tsx';
import type { DraftFileView } from './view-model.ts';

type AttachmentRowProps = {
  file: DraftFileView;
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
};

const stageWords = (state: DraftFileView['state'], percent: number): string =>
  state === 'encrypting' ? t('encrypting {percent}%', { percent }) : t('uploading {percent}%', { percent });

function AttachmentRow({ file, onRemove, onRetry }: AttachmentRowProps) {
  const { id, name, sizeBytes, state, progressPercent, error } = file;
  const isBusy = state === 'encrypting' || state === 'uploading';
  return (
    <li className="flex items-center gap-2.5 rounded-control border border-line px-3 py-2 text-control">
      {state === 'done' ? (
        <CircleCheck aria-hidden size={15} className="shrink-0 text-secure" />
      ) : (
        <Paperclip aria-hidden size={15} className="shrink-0 text-ink-2" />
      )}
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-1.5">
          <bdi className="truncate">{name}</bdi>
          <small className="shrink-0 text-meta text-ink-3 tabular-nums">
            {formatSize(sizeBytes)}
            {isBusy && ` · ${stageWords(state, Math.round(progressPercent))}`}
          </small>
        </div>
        {isBusy && (
          <Progress
            label={
              state === 'encrypting' ? t('Encrypting {name}', { name }) : t('Uploading {name}', { name })
            }
            value={progressPercent}
          />
        )}
        {state === 'failed' && (
          <div role="alert" className="text-meta text-danger">
            {error ?? t('Couldn’t upload this file')}
          </div>
        )}
      </div>
      {state === 'failed' && (
        <IconButton size="sm" label={t('Try again: {name}', { name })} onClick={() => onRetry(id)}>
          <RotateCw size={15} />
        </IconButton>
      )}
      <IconButton
        size="sm"
        label={isBusy ? t('Cancel upload of {name}', { name }) : t('Remove {name}', { name })}
        onClick={() => onRemove(id)}
      >
        <X size={15} />
      </IconButton>
    </li>
  );
}

type AttachmentListProps = {
  files: readonly DraftFileView[];
  /** Total size of all files, against the limit. */
  total: string | undefined;
  isPhone: boolean;
  onRemove: (id: string) => void;
  onRetry: (id: string) => void;
};

/** The list above the composer's footer; renders nothing without files. */
export function AttachmentList({ files, total, isPhone, onRemove, onRetry }: AttachmentListProps) {
  if (files.length === 0) return null;
  return (
    <ul
      aria-label={t('Attachments')}
      className={cn('mx-4 mb-2.5 flex shrink-0 flex-col gap-1.5', !isPhone && 'max-h-40 overflow-auto')}
    >
      {total && <li className="text-meta text-ink-3 tabular-nums">{total}</li>}
      {files.map(file => (
        <AttachmentRow key={file.id} file={file} onRemove={onRemove} onRetry={onRetry} />
      ))}
    </ul>
  );
}
