// The beginning of a text file in the lightbox, in a monospaced font. The file name does not
// matter: HTML and SVG are shown as source text.
import { useEffect, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { PREVIEW_TEXT_BYTES } from './preview-kind.ts';
import { textOf } from './text-file.ts';

type TextPreviewProps = {
  content: Blob;
  scale: number;
  onFail: (text: string) => void;
};

const sizes = [
  [0.75, 'text-meta'],
  [1.25, 'text-control'],
  [2, 'text-subject'],
] as const;

/** Scrolls; the scale changes the font size. */
export function TextPreview({ content, scale, onFail }: TextPreviewProps) {
  const [text, setText] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file
  useEffect(() => {
    content
      .slice(0, PREVIEW_TEXT_BYTES)
      .arrayBuffer()
      .then(bytes => setText(textOf(new Uint8Array(bytes), content.size > PREVIEW_TEXT_BYTES)))
      .catch(() => onFail(t('No preview available. Save the file to open it.')));
  }, [content]);
  const size = sizes.find(([most]) => scale <= most)?.[1] ?? 'text-subject';
  if (text === null)
    return (
      <div className="grid flex-1 place-items-center">
        <Spinner />
      </div>
    );
  return (
    <section
      aria-label={t('Text')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto p-4"
    >
      <pre
        dir="auto"
        className={`mx-auto max-w-[1000px] font-mono ${size} whitespace-pre-wrap [overflow-wrap:anywhere]`}
      >
        {text}
      </pre>
      {content.size > PREVIEW_TEXT_BYTES && (
        <p className="mx-auto mt-4 max-w-[1000px] text-control text-ink-2">
          {t('Only the beginning is shown. Save the file to see all of it.')}
        </p>
      )}
    </section>
  );
}
