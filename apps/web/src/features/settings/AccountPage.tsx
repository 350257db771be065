// `/app/config/account`: who one is here, what the plan gives and what is used of it, and the way out for good.
import { t } from '../../lib/language.ts';
import {
  keepLanguageChoice,
  type LanguageChoice,
  languageChoice,
  languages,
} from '../../lib/language-choice.ts';
import { settingsPath } from '../../paths.ts';
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

/** The page. */
export function AccountPage() {
  const user = useUser();
  if (user === null) return null;
  const { domain_limit, address_limit, storage_limit } = user.plan_config;
  return (
    <SettingsPage title={t('Account')}>
      <NameRow name={user.name} />
      <SettingsRow label={t('Address')} text={t('You sign in with it and receive mail at it.')}>
        <span className="break-all">{user.email}</span>
      </SettingsRow>
      {user.addresses.length > 0 && (
        <SettingsRow label={t('More addresses')} text={t('Mail to them arrives here too.')}>
          <span className="break-all">{user.addresses.join(', ')}</span>
        </SettingsRow>
      )}
      <SettingsRow
        label={t('Plan')}
        text={t(
          '{addresses, plural, one {# more address} other {# more addresses}}, {domains, plural, one {# domain of your own} other {# domains of your own}}',
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
        text={t('All mail, a tag or a search, with files and contacts, as one file.')}
      >
        <Link alone to={settingsPath('account/export')}>
          {t('Export mail')}
        </Link>
      </SettingsRow>
      <DeleteAccountRow email={user.kdf_email} />
    </SettingsPage>
  );
}

/** The row. */
function LanguageRow() {
  const names: readonly { value: LanguageChoice; label: string }[] = [
    { value: 'system', label: t('As the system') },
    ...Object.entries(languages).map(([tag, { name }]) => ({ value: tag as LanguageChoice, label: name })),
  ];
  return (
    <SelectRow
      label={t('Language')}
      text={t('The page reloads in the chosen language. It is kept on this device.')}
      options={names}
      value={languageChoice()}
      onChange={choice => {
        keepLanguageChoice(choice);
        location.reload();
      }}
    />
  );
}
