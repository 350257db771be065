// A PDF file in the lightbox: its pages are stacked, each rendered when it comes near the viewport
// and released when it is far away. Reports damaged and password-protected files.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { PdfPage } from './PdfPage.tsx';
import { PreviewProblem } from './PreviewProblem.tsx';
import { openPdf, type PdfFile } from './pdf-client.ts';

type PdfPreviewProps = {
  content: Blob;
  name: string;
  scale: number;
  /** Shown when the file cannot be displayed. */
  fallback: ReactNode;
};

const PAGE_GAP_PX = 16;
const WIDEST_PX = 900;

/** Fits the width at scale 1. */
export function PdfPreview({ content, name, scale, fallback }: PdfPreviewProps) {
  const [file, setFile] = useState<PdfFile | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [page, setPage] = useState(0);
  const scroller = useRef<HTMLElement>(null);
  const [widthPx, setWidth] = useState(0);
  useEffect(() => {
    let isGone = false;
    let mine: PdfFile | null = null;
    openPdf(content).then(
      one => {
        mine = one;
        if (isGone) one.close();
        else setFile(one);
      },
      () => setBroken(true),
    );
    return () => {
      isGone = true;
      mine?.close();
    };
  }, [content]);
  const isOpen = file?.opened.kind === 'open';
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isOpen) return;
    const measure = () => setWidth(Math.min(WIDEST_PX, element.clientWidth - 2 * PAGE_GAP_PX));
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [isOpen]);
  if (isBroken || file?.opened.kind === 'broken')
    return <PreviewProblem text={t('This PDF is damaged and can’t be shown.')}>{fallback}</PreviewProblem>;
  if (file?.opened.kind === 'locked')
    return (
      <PreviewProblem text={t('This PDF is password-protected. Save it to open it in another app.')}>
        {fallback}
      </PreviewProblem>
    );
  if (file === null || file.opened.kind !== 'open')
    return (
      <div className="grid flex-1 place-items-center" role="status" aria-label={t('Loading')}>
        <Spinner />
      </div>
    );
  const { pages } = file.opened;
  return (
    <>
      <section
        ref={scroller}
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable
        tabIndex={0}
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-auto p-4 outline-none"
      >
        {widthPx > 0 &&
          pages.map((size, index) => (
            <PdfPage
              // biome-ignore lint/suspicious/noArrayIndexKey: pages are known by their number
              key={index}
              number={index + 1}
              size={size}
              widthPx={Math.round(widthPx * scale)}
              draw={file.draw}
              onSeen={() => setPage(index)}
            />
          ))}
      </section>
      <div
        role="status"
        className="pointer-events-none absolute inset-x-0 bottom-3 mx-auto w-fit rounded-full bg-raised/90 px-3 py-1 text-control tabular-nums shadow-mid"
      >
        {t('Page {page} of {total}', { page: page + 1, total: pages.length })}
      </div>
    </>
  );
}
