// Shows how many remote images were blocked and lets the reader load them, once or always for this
// sender. They are fetched through the server, so that the sender does not learn who reads the
// message. Trackers stay blocked in any case.
import { ImageOff } from 'lucide-react';
import { t } from '../../../../lib/language.ts';
import { Banner } from '../../../../ui/Banner.tsx';
import { Button } from '../../../../ui/Button.tsx';
import type { RemoteContentView } from '../../state/view-model.ts';

type RemoteContentStripProps = {
  remote: RemoteContentView;
  /** Absent where nothing may be loaded. */
  onLoadOnce?: (() => void) | undefined;
  onAlwaysLoad?: (() => void) | undefined;
};

function wordsFor({ blockedImages, knownTrackers, loading }: RemoteContentView): string {
  if (loading !== null && loading.done < loading.total)
    return t('Loading images: {done} of {total}', { done: loading.done, total: loading.total });
  const trackers =
    knownTrackers > 0
      ? t('{count, plural, one {# known tracker} other {# known trackers}}', { count: knownTrackers })
      : '';
  if (loading !== null) {
    if (loading.failed === 0)
      return t('{count, plural, one {# known tracker} other {# known trackers}} blocked', {
        count: knownTrackers,
      });
    const failed = t(
      '{count, plural, one {# remote image couldn’t be loaded} other {# remote images couldn’t be loaded}}',
      { count: loading.failed },
    );
    return trackers === '' ? failed : t('{failed}, {trackers} blocked', { failed, trackers });
  }
  const blocked = t('{count, plural, one {# remote image blocked} other {# remote images blocked}}', {
    count: blockedImages,
  });
  return trackers === '' ? blocked : t('{blocked}, {trackers}', { blocked, trackers });
}

/** Shown while images are blocked. */
export function RemoteContentStrip({ remote, onLoadOnce, onAlwaysLoad }: RemoteContentStripProps) {
  const canLoad = onLoadOnce !== undefined && remote.loading === null && remote.urls.length > 0;
  return (
    <div className="print:hidden">
      <Banner
        tone="neutral"
        role="status"
        icon={<ImageOff size={16} />}
        actions={
          canLoad && (
            <>
              <Button variant="inherit" size="xs" onClick={onLoadOnce}>
                {t('Load once')}
              </Button>
              {onAlwaysLoad !== undefined && (
                <Button variant="inherit" size="xs" onClick={onAlwaysLoad}>
                  {t('Always for this sender')}
                </Button>
              )}
            </>
          )
        }
      >
        {wordsFor(remote)}
      </Banner>
    </div>
  );
}
