// A third form of the link besides the stripped and the original one: with its query, but without
// tracking parameters. Shown only if it differs from both.
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';

type TidyLinkProps = {
  original: string;
  stripped: string;
};

/** Renders nothing until the rules are loaded, and nothing when they change nothing. */
export function TidyLink({ original, stripped }: TidyLinkProps) {
  const [tidy, setTidy] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    loadChunk('tracking', () => import('./tracking.ts')).then(
      ({ withoutTracking }) => !isGone && setTidy(withoutTracking(original)),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [original]);
  if (tidy === null || tidy === stripped || tidy === original) return null;
  return (
    <>
      <h2 className="mt-5 mb-1 text-meta font-medium text-ink-2">{t('Without tracking')}</h2>
      <div className="flex items-center gap-2 rounded-control border border-line px-3 py-2.5 font-mono text-control">
        <bdi dir="ltr" className="min-w-0 flex-1 break-all">
          {tidy}
        </bdi>
        <CopyButton text={tidy} label={t('Copy link without tracking')} />
      </div>
      <div className="mt-2 flex justify-end">
        <a
          href={tidy}
          target="_blank"
          rel="noopener noreferrer"
          className="flex h-9 items-center rounded-control px-3.5 text-control font-semibold text-accent-text hover:bg-hover pointer-coarse:h-11"
        >
          {t('Open link without tracking')}
        </a>
      </div>
    </>
  );
}
