// Says that a newer version of the program is ready. Nothing is lost by reloading: letters are saved before (ux 2.3).
import { RefreshCw } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { waitingWorker } from '../../platform/service-worker.ts';
import { applyUpdate } from '../../platform/version-watch.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';

interface UpdateBarProps {
  /** Saves what is being written. */
  onBeforeReload: () => Promise<void>;
}

/** The bar; shown while a newer version waits. */
export function UpdateBar({ onBeforeReload }: UpdateBarProps) {
  const reload = () =>
    void onBeforeReload()
      .catch(() => undefined)
      .finally(() => {
        const worker = waitingWorker();
        if (worker !== null) applyUpdate(worker);
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
