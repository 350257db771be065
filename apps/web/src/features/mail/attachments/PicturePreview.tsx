// A picture in the lightbox. It is first decoded as a bitmap, by its bytes and not by its name, so
// that a file that merely claims to be a picture is never handed to anything that could execute it.
import { type ReactNode, useEffect, useState } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { PreviewProblem } from './PreviewProblem.tsx';
import { sniffPicture } from './preview-kind.ts';

type PicturePreviewProps = {
  content: Blob;
  name: string;
  scale: number;
  /** Shown when the file cannot be displayed. */
  fallback: ReactNode;
};

type Shown = { readonly url: string; readonly width: number; readonly height: number };

const HEAD_BYTES = 32;

async function decode(content: Blob): Promise<Shown> {
  const type = sniffPicture(new Uint8Array(await content.slice(0, HEAD_BYTES).arrayBuffer()));
  if (type === null) throw new Error('Not a picture');
  const picture = content.slice(0, content.size, type);
  const bitmap = await createImageBitmap(picture);
  const { width, height } = bitmap;
  bitmap.close();
  return { url: URL.createObjectURL(picture), width, height };
}

/** Fits the available space at scale 1; scrolls when it is larger. */
export function PicturePreview({ content, name, scale, fallback }: PicturePreviewProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let url: string | null = null;
    let isGone = false;
    decode(content).then(
      one => {
        if (isGone) URL.revokeObjectURL(one.url);
        else {
          url = one.url;
          setShown(one);
        }
      },
      () => setBroken(true),
    );
    return () => {
      isGone = true;
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [content]);
  if (isBroken) return <PreviewProblem text={t('This image can’t be shown.')}>{fallback}</PreviewProblem>;
  if (shown === null)
    return (
      <div className="grid flex-1 place-items-center">
        <Spinner />
      </div>
    );
  const isPlain = scale === 1;
  return (
    <section
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable
      tabIndex={0}
      // The row has a fixed height; otherwise the picture would only fit the width.
      className={cn(
        'grid min-h-0 flex-1 overflow-auto p-4 outline-none',
        isPlain && 'grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)]',
      )}
    >
      <img
        src={shown.url}
        alt={name}
        width={isPlain ? undefined : Math.round(shown.width * scale)}
        height={isPlain ? undefined : Math.round(shown.height * scale)}
        className={isPlain ? 'm-auto max-h-full max-w-full object-contain' : 'm-auto max-w-none'}
      />
    </section>
  );
}
