// One page of a PDF file: a sheet of its size, rendered on a canvas while it is near the viewport.
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import type { PageSize } from './pdf-worker.ts';

type PdfPageProps = {
  number: number;
  size: PageSize;
  widthPx: number;
  draw: (page: number, widthPx: number) => Promise<ImageBitmap | null>;
  /** Called when this page is in the middle of the screen. */
  onSeen: () => void;
};

const nearMargin = '600px';
const middle = '-50% 0px -50% 0px';

/** A sheet; shows gray text when it cannot be rendered. */
export function PdfPage({ number, size, widthPx, draw, onSeen }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  const [isNear, setNear] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const heightPx = Math.round((widthPx * size.height) / size.width);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const root = element.closest('section');
    const near = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root,
      rootMargin: nearMargin,
    });
    const center = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(), {
      root,
      rootMargin: middle,
    });
    near.observe(element);
    center.observe(element);
    return () => {
      near.disconnect();
      center.disconnect();
    };
  }, []);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || !isNear) return;
    let isGone = false;
    draw(number - 1, Math.round(widthPx * Math.min(2, devicePixelRatio))).then(
      bitmap => {
        if (bitmap === null) return setBroken(true);
        if (!isGone) {
          element.width = bitmap.width;
          element.height = bitmap.height;
          element.getContext('2d')?.drawImage(bitmap, 0, 0);
        }
        bitmap.close();
      },
      () => setBroken(true),
    );
    return () => {
      isGone = true;
      // An empty canvas holds no memory.
      element.width = 0;
      element.height = 0;
    };
  }, [isNear, widthPx, number, draw]);
  return (
    <div className="relative mx-auto shrink-0">
      <svg aria-hidden width={widthPx} height={heightPx} className="block bg-paper shadow-mid" />
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('Page {page}', { page: number })}
        className="absolute inset-0 h-full w-full"
      />
      {isBroken && (
        <p role="alert" className="absolute inset-0 grid place-items-center text-danger">
          {t('This page can’t be shown.')}
        </p>
      )}
    </div>
  );
}
