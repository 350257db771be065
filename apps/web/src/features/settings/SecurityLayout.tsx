// The security area `/app/security/*` (docs/spec-map.md 2.13). Only pages that exist are listed.
import { t } from '../../lib/language.ts';
import { settingsRoot } from '../../paths.ts';
import { AreaLayout } from './AreaLayout.tsx';
import { menuOf } from './menus.ts';

/** The screen around a page of the security area. */
export function SecurityLayout() {
  return (
    <AreaLayout
      title={t('Security')}
      listLabel={t('All of security')}
      groups={menuOf('security')}
      parent={{ path: settingsRoot, label: t('Settings') }}
    />
  );
}
