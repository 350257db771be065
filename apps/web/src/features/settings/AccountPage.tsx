// `/app/config/account`: the user's identity, the plan and its usage, and account deletion.
import { t } from '../../lib/language.ts';
import {
  keepLanguageChoice,
  type LanguageChoice,
  languageChoice,
  offeredLanguages,
} from '../../lib/language-choice.ts';
import { languages } from '../../lib/languages.ts';
import { joinParts } from '../../lib/words.ts';
import { settingsPath } from '../../paths.ts';
import { keepLanguageOffline } from '../../platform/offline-language.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Link } from '../../ui/Link.tsx';
import { SelectRow } from '../../ui/SelectRow.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { PlansLink } from '../billing/PlansLink.tsx';
import { planNames } from '../billing/plan-words.ts';
import { DeleteAccountRow } from './DeleteAccountRow.tsx';
import { NameRow } from './NameRow.tsx';
import { StorageRow } from './StorageRow.tsx';
import { TimeZoneRow } from './TimeZoneRow.tsx';

export function AccountPage() {
  const user = useUser();
  if (user === null) return null;
  const { domain_limit, address_limit, storage_limit } = user.plan_config;
  return (
    <SettingsPage title={t('Account')}>
      <NameRow name={user.name} />
      <SettingsRow label={t('Address')} text={t('Your address for signing in and receiving mail.')}>
        <span className="break-all">{user.email}</span>
      </SettingsRow>
      {user.addresses.length > 0 && (
        <SettingsRow label={t('Extra addresses')} text={t('Mail to these addresses also arrives here.')}>
          <span className="break-all">{joinParts(user.addresses)}</span>
        </SettingsRow>
      )}
      <SettingsRow
        label={t('Plan')}
        text={t(
          '{addresses, plural, one {# extra address} other {# extra addresses}}, {domains, plural, one {# custom domain} other {# custom domains}}',
          { addresses: address_limit, domains: domain_limit },
        )}
      >
        <span className="flex flex-wrap items-center gap-3">
          <span className="font-medium">{planNames[user.plan]}</span>
          <PlansLink />
        </span>
      </SettingsRow>
      <StorageRow usedBytes={user.storage_used} limitBytes={storage_limit} />
      <LanguageRow />
      <TimeZoneRow />
      <SettingsRow
        label={t('Export')}
        text={t('All mail, a tag or a search, with files and contacts, as a single file.')}
      >
        <Link alone to={settingsPath('account/export')}>
          {t('Export mail')}
        </Link>
      </SettingsRow>
      <DeleteAccountRow email={user.kdf_email} />
    </SettingsPage>
  );
}

function LanguageRow() {
  const names: readonly { value: LanguageChoice; label: string }[] = [
    { value: 'system', label: t('System default') },
    ...offeredLanguages.map(tag => ({ value: tag, label: languages[tag].name })),
  ];
  return (
    <SelectRow
      label={t('Language')}
      text={t('The page reloads in the new language. This setting applies to this device.')}
      options={names}
      value={languageChoice()}
      onChange={choice => {
        keepLanguageChoice(choice);
        void keepLanguageOffline().then(() => location.reload());
      }}
    />
  );
}
