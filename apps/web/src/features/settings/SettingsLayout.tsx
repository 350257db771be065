// The settings area `/app/config/*` (docs/spec-map.md 2.11). Only pages that exist are listed.
import { t } from '../../lib/language.ts';
import { settingsRoot } from '../../paths.ts';
import { AreaLayout } from './AreaLayout.tsx';
import { menuOf } from './menus.ts';

/** The screen around a page of the settings. */
export function SettingsLayout() {
  return (
    <AreaLayout
      title={t('Settings')}
      listLabel={t('All settings')}
      groups={menuOf('settings')}
      root={settingsRoot}
    />
  );
}
