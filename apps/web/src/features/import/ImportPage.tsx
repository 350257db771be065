// `/app/config/import`: imports mail from files, which are read and sealed in this browser
// (docs/spec-map.md 2.12, docs/interface.md#import).
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { Link } from '../../ui/Link.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { ImportPanel } from './ImportPanel.tsx';

export function ImportPage() {
  return (
    <SettingsPage
      title={t('Import')}
      action={
        <Link alone to={settingsPath('account/export')}>
          {t('Export mail')}
        </Link>
      }
      text={t('Files are opened and encrypted in this browser. The server only receives encrypted messages.')}
    >
      <ImportPanel />
    </SettingsPage>
  );
}
