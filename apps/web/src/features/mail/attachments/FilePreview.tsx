// One file in the lightbox: downloaded and decrypted, then shown by its type, or replaced by the
// reason why it cannot be shown.
import { useEffect, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { Button } from '../../../ui/Button.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import type { AttachmentView } from '../state/view-model.ts';
import type { PdfPreview } from './PdfPreview.tsx';
import { PicturePreview } from './PicturePreview.tsx';
import { PreviewProblem } from './PreviewProblem.tsx';
import { previewKindOf } from './preview-kind.ts';
import { TextPreview } from './TextPreview.tsx';

type FilePreviewProps = {
  file: AttachmentView;
  scale: number;
  open: (id: string) => Promise<Blob>;
  onSave: (id: string) => void;
};

type Opened = { readonly content: Blob; readonly Pdf: typeof PdfPreview | null };

/** Fills the available space. */
export function FilePreview({ file, scale, open, onSave }: FilePreviewProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const kind = previewKindOf(file.mimeType, file.name, file.sizeBytes);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file and try, whatever `open` is called
  useEffect(() => {
    let isGone = false;
    setProblem(null);
    const load = async () => {
      const pdf = kind === 'pdf' ? loadChunk('pdf', () => import('./PdfPreview.tsx')) : null;
      const [content, module] = await Promise.all([open(file.id), pdf]);
      if (!isGone) setOpened({ content, Pdf: module?.PdfPreview ?? null });
    };
    load().catch(() => !isGone && setProblem(t('Couldn’t be decrypted. Try again')));
    return () => {
      isGone = true;
    };
  }, [file.id, tries]);
  if (problem !== null) {
    return (
      <PreviewProblem text={problem}>
        <Button variant="outline" onClick={() => setTries(count => count + 1)}>
          {t('Try again')}
        </Button>
      </PreviewProblem>
    );
  }
  if (opened === null) {
    return (
      <div className="grid flex-1 place-items-center" role="status" aria-label={t('Loading')}>
        <Spinner />
      </div>
    );
  }
  const fail = (text: string) => setProblem(text);
  const save = (
    <Button variant="outline" onClick={() => onSave(file.id)}>
      {t('Save')}
    </Button>
  );
  if (kind === 'image')
    return <PicturePreview content={opened.content} name={file.name} scale={scale} fallback={save} />;
  if (kind === 'text') return <TextPreview content={opened.content} scale={scale} onFail={fail} />;
  if (opened.Pdf !== null)
    return <opened.Pdf content={opened.content} name={file.name} scale={scale} fallback={save} />;
  return <PreviewProblem text={t('No preview available. Save the file to open it.')}>{save}</PreviewProblem>;
}
