// One attachment of a message that is read: what it is, how big, and the way to get it.
import { Download, Eye } from 'lucide-react';
import { formatSize } from '../../lib/sizes.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Progress } from '../../ui/Progress.tsx';
import type { AttachmentView } from './view-model.ts';

/** Up to four capitals for the kind of file, from its name's ending. */
function kindOf(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,4})$/.exec(name)?.[1];
  return ending?.toUpperCase() ?? 'FILE';
}

interface AttachmentCardProps {
  attachment: AttachmentView;
  onDownload: (id: string) => void;
  onPreview: (id: string) => void;
}

/** A card in the row under the message. */
export function AttachmentCard({ attachment, onDownload, onPreview }: AttachmentCardProps) {
  const { id, name, sizeBytes, state, progressPercent, canPreview } = attachment;
  return (
    <li className="flex w-[220px] max-w-full items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 py-2 max-pane:w-full">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-nav bg-well text-[10px] font-strong text-ink-2"
      >
        {kindOf(name)}
      </span>
      <div className="min-w-0 flex-1">
        <div className="truncate" title={name} dir="auto">
          {name}
        </div>
        {state === 'failed' ? (
          <div className="text-meta text-danger">Could not be decrypted. Try again</div>
        ) : (
          <div className="text-meta leading-4 text-ink-3 tabular-nums">{formatSize(sizeBytes)}</div>
        )}
        {state === 'loading' && <Progress label={`Loading ${name}`} value={progressPercent} />}
      </div>
      {canPreview && (
        <IconButton label={`Preview ${name}`} onClick={() => onPreview(id)}>
          <Eye size={16} />
        </IconButton>
      )}
      <IconButton label={`Download ${name}`} busy={state === 'loading'} onClick={() => onDownload(id)}>
        <Download size={16} />
      </IconButton>
    </li>
  );
}
