// Reports that a newer version of the app is ready, that the app has changed, or that a changed
// version was rejected. Reloading loses nothing: drafts are saved first (docs/interface.md#states).
import { RefreshCw, ShieldX } from 'lucide-react';
import { Link } from 'react-router';
import { sentenceGap, t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { noteTold } from '../../platform/program.ts';
import { programNews } from '../../platform/service-worker.ts';
import { applyUpdate } from '../../platform/version-watch.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';

type UpdateBarProps = {
  /** Saves open drafts. */
  onBeforeReload: () => Promise<void>;
};

/** Links to the details about the app's code. */
function Details() {
  return (
    <Link to={settingsPath('device')} className="rounded-chip underline underline-offset-2">
      {t('Details')}
    </Link>
  );
}

/** Shown while there is something to report. */
export function UpdateBar({ onBeforeReload }: UpdateBarProps) {
  const news = programNews();
  if (news === 'refused')
    return (
      <div className="px-3 py-2 print:hidden">
        <Banner tone="danger" role="alert" icon={<ShieldX size={16} />}>
          {t(
            'The server sent changed code that isn’t signed with the key this device trusts. It was blocked, and you’re still using the previous version.',
          )}
          {sentenceGap()}
          <Details />
        </Banner>
      </div>
    );
  if (news === 'changed')
    return (
      <div className="px-3 py-2 print:hidden">
        <Banner
          tone="neutral"
          role="status"
          icon={<RefreshCw size={16} />}
          actions={
            <Button variant="inherit" size="xs" onClick={noteTold}>
              {t('Close')}
            </Button>
          }
        >
          {t('Keyfold was updated. The update is signed with the key this device trusts.')}
          {sentenceGap()}
          <Details />
        </Banner>
      </div>
    );
  const reload = () =>
    void onBeforeReload()
      .catch(() => undefined)
      .finally(() => {
        if (news !== null) applyUpdate(news);
      });
  return (
    <div className="px-3 pt-2">
      <Banner
        tone="info"
        role="status"
        icon={<RefreshCw size={16} />}
        actions={
          <Button variant="inherit" size="xs" onClick={reload}>
            {t('Reload')}
          </Button>
        }
      >
        {t('A new version is ready')}
      </Banner>
    </div>
  );
}
