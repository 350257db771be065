// Says that a newer version of the program is ready, that the program has changed, or that a changed one was refused. Nothing is
// lost by reloading: letters are saved before (docs/interface.md#states).
import { RefreshCw, ShieldX } from 'lucide-react';
import { Link } from 'react-router';
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { noteTold } from '../../platform/program.ts';
import { programNews } from '../../platform/service-worker.ts';
import { applyUpdate } from '../../platform/version-watch.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';

type UpdateBarProps = {
  /** Saves what is being written. */
  onBeforeReload: () => Promise<void>;
};

/** Leads to what is known of the program. */
function Details() {
  return (
    <Link to={settingsPath('device')} className="rounded-chip underline underline-offset-2">
      {t('Details')}
    </Link>
  );
}

/** The bar; shown while there is news. */
export function UpdateBar({ onBeforeReload }: UpdateBarProps) {
  const news = programNews();
  if (news === 'refused')
    return (
      <div className="px-3 py-2 print:hidden">
        <Banner tone="danger" role="alert" icon={<ShieldX size={16} />}>
          {t(
            'This server sent a changed program that its key has not signed. It was refused; you use the one from before.',
          )}{' '}
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
          {t('Keyfold was updated. The key that this device knows has signed it.')} <Details />
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
