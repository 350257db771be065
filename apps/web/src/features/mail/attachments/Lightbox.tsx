// Previews the files of a message without saving them: pictures, text and PDF files, one at a time,
// with arrows and zoom. A file is decrypted when it is displayed. No content of a file is ever
// active: pictures are bitmaps, text is plain text, and PDF pages are rendered in a worker.
import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { writeKeys } from '../../../session/commands/shortcut-keys.ts';
import { FullScreen } from '../../../ui/FullScreen.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { AttachmentView } from '../state/view-model.ts';
import { FilePreview } from './FilePreview.tsx';

const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;
const plainZoom = ZOOMS.indexOf(1);

const scaleOf = (zoom: number): number => ZOOMS[zoom] ?? 1;

export type LightboxProps = {
  /** The files that can be previewed. */
  files: readonly AttachmentView[];
  startId: string;
  open: (id: string) => Promise<Blob>;
  onSave: (id: string) => void;
  onClose: () => void;
};

function ZoomButtons({ zoom, onZoom }: { zoom: number; onZoom: (step: 1 | -1) => void }) {
  return (
    <>
      <IconButton label={t('Zoom out')} keys="-" disabled={zoom === 0} onClick={() => onZoom(-1)}>
        <ZoomOut size={18} />
      </IconButton>
      <span aria-live="polite" className="w-12 text-center text-meta text-ink-2 tabular-nums max-pane:hidden">
        {`${Math.round(scaleOf(zoom) * 100)} %`}
      </span>
      <IconButton
        label={t('Zoom in')}
        keys="+"
        disabled={zoom === ZOOMS.length - 1}
        onClick={() => onZoom(1)}
      >
        <ZoomIn size={18} />
      </IconButton>
    </>
  );
}

/** A button at the side that shows the previous or next file. */
function FileStep({ step, isEnd, onStep }: { step: 1 | -1; isEnd: boolean; onStep: (step: 1 | -1) => void }) {
  const Icon = step === 1 ? ChevronRight : ChevronLeft;
  return (
    <span className={cn('absolute top-1/2 -translate-y-1/2', step === 1 ? 'end-2' : 'start-2')}>
      <IconButton
        label={step === 1 ? t('Next file') : t('Previous file')}
        size="touch"
        disabled={isEnd}
        onClick={() => onStep(step)}
        className="rounded-full bg-raised/80"
      >
        <Icon size={22} className="rtl:-scale-x-100" />
      </IconButton>
    </span>
  );
}

/** Covers the page until it is closed. */
export function Lightbox({ files, startId, open, onSave, onClose }: LightboxProps) {
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      files.findIndex(({ id }) => id === startId),
    ),
  );
  const [zoom, setZoom] = useState<number>(plainZoom);
  const file = files[index];
  if (file === undefined) return null;
  const go = (step: number) => {
    const next = index + step;
    if (next < 0 || next >= files.length) return;
    setIndex(next);
    setZoom(plainZoom);
  };
  const zoomBy = (step: number) => setZoom(before => Math.min(ZOOMS.length - 1, Math.max(0, before + step)));
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key === forward) go(1);
    else if (event.key === backward) go(-1);
    else if (event.key === '+' || event.key === '=') zoomBy(1);
    else if (event.key === '-') zoomBy(-1);
    else if (event.key === '0') setZoom(plainZoom);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const hasMany = files.length > 1;
  return (
    <FullScreen
      title={file.name}
      onClose={onClose}
      onKeyDown={onKeyDown}
      bar={
        <>
          {hasMany && (
            <span className="px-2 text-control text-ink-2 tabular-nums" role="status">
              {t('{index} of {total}', { index: index + 1, total: files.length })}
            </span>
          )}
          <ZoomButtons zoom={zoom} onZoom={zoomBy} />
          <IconButton label={t('Save')} onClick={() => onSave(file.id)}>
            <Download size={18} />
          </IconButton>
          <IconButton label={t('Close')} keys={writeKeys('Escape')} onClick={onClose}>
            <X size={18} />
          </IconButton>
        </>
      }
    >
      <div className="relative flex min-h-0 flex-1">
        <FilePreview key={file.id} file={file} scale={scaleOf(zoom)} open={open} onSave={onSave} />
        {hasMany && (
          <>
            <FileStep step={-1} isEnd={index === 0} onStep={go} />
            <FileStep step={1} isEnd={index === files.length - 1} onStep={go} />
          </>
        )}
      </div>
    </FullScreen>
  );
}
