// `/app/security`: a few facts about the account, each with its next step.

import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { joinParts } from '../../lib/words.ts';
import { securityPath } from '../../paths.ts';
import { useUser } from '../../session/state/current-user.ts';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { deviceName } from './device-name.ts';
import { FactRow } from './FactRow.tsx';
import { useSessions } from './queries.ts';
import { useSecuritySettings } from './spam-queries.ts';

export function OverviewPage() {
  const user = useUser();
  const { data: sessions } = useSessions();
  const { data: settings } = useSecuritySettings();
  if (user === null) return null;
  const hasFactor = user.totp_active || user.passkeys > 0;
  return (
    <SettingsPage title={t('Security')}>
      <ul className="overflow-hidden rounded-card border border-line">
        <FactRow
          state={user.recovery_at === null ? 'asks' : 'well'}
          title={user.recovery_at === null ? t('No recovery kit') : t('Recovery kit saved')}
          text={
            user.recovery_at === null
              ? t('If you lose your password and have no recovery kit, you lose your mail.')
              : t('Created {date}', { date: formatFullDate(new Date(user.recovery_at)) })
          }
          action={{
            path: securityPath('recovery'),
            label: user.recovery_at === null ? t('Create a recovery kit') : t('Create a new kit'),
          }}
        />
        <FactRow
          state={hasFactor ? 'well' : 'asks'}
          title={hasFactor ? t('Two-factor authentication is on') : t('Two-factor authentication is off')}
          text={
            hasFactor
              ? t('Signing in requires your password and a second factor.')
              : t('Signing in requires only your password.')
          }
          action={{
            path: securityPath('two-factor'),
            label: hasFactor ? t('Review') : t('Set up'),
          }}
        />
        {sessions !== undefined && (
          <FactRow
            state="well"
            title={t('{count, plural, one {# active session} other {# active sessions}}', {
              count: sessions.length,
            })}
            text={joinParts([...new Set(sessions.map(session => deviceName(session.device)))])}
            action={{ path: securityPath('sessions'), label: t('Review') }}
          />
        )}
        {settings !== undefined && (
          <FactRow
            state={settings.spam_filters.enabled ? 'well' : 'asks'}
            title={settings.spam_filters.enabled ? t('Spam filter is on') : t('Spam filter is off')}
            text={t(
              '{blocked, plural, one {# blocked sender} other {# blocked senders}}, {allowed, plural, one {# allowed sender} other {# allowed senders}}',
              { blocked: settings.blacklist.length, allowed: settings.whitelist.length },
            )}
            action={{ path: securityPath('spam'), label: t('Review') }}
          />
        )}
        <FactRow
          state={user.plan === 'free' ? 'tells' : 'well'}
          title={t('Analytics')}
          text={
            user.plan === 'free'
              ? t('Plus plan required for security analytics')
              : t('How much mail arrived from other providers, and how much of it was spam')
          }
          {...(user.plan === 'free'
            ? {}
            : { action: { path: securityPath('analytics'), label: t('Review') } })}
        />
        <FactRow
          state="well"
          title={t('Only your keys can open your mail')}
          text={
            <>
              {t('Fingerprint')}{' '}
              <code dir="ltr" className="block w-fit font-mono text-meta break-all">
                {user.main_key.key_id}
              </code>
            </>
          }
        />
      </ul>
    </SettingsPage>
  );
}
