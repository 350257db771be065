// `/app/security/sessions`: the active sessions, with a button to end each, and the sign-ins of the
// last 90 days.
import { LogIn, MonitorSmartphone, ShieldX } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { formatFullDate } from '../../lib/dates.ts';
import { sentenceGap, t } from '../../lib/language.ts';
import { securityPath } from '../../paths.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { showToast } from '../../ui/toasts.ts';
import { deviceName } from './device-name.ts';
import { useEndSessions, useLogins, useSessions } from './queries.ts';

const lineLook =
  'flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-b-0';

function SessionList() {
  const query = useSessions();
  const end = useEndSessions();
  const endOne = (id: string | null) =>
    end.mutate(id, {
      onSuccess: () =>
        showToast({
          tone: 'success',
          text: id === null ? t('All other sessions have ended') : t('Session ended'),
        }),
      onError: cause => showToast({ tone: 'danger', text: callErrorText(cause) }),
    });
  return (
    <AskedFor query={query} bars={['h-28 w-full']} title={t('Couldn’t load your sessions')}>
      {data => (
        <>
          <ul aria-label={t('Sessions')} className="rounded-card border border-line">
            {data.map(session => {
              const name = deviceName(session.device);
              return (
                <li key={session.id} className={lineLook}>
                  <MonitorSmartphone aria-hidden size={18} className="shrink-0 text-ink-3" />
                  <div className="min-w-40 flex-1">
                    <div className="font-medium">
                      {name}
                      {session.current && (
                        <span className="ms-2 rounded-chip bg-secure-bg px-1.5 py-0.5 text-meta font-semibold text-secure">
                          {t('This device')}
                        </span>
                      )}
                    </div>
                    <div className="text-control break-words text-ink-2">
                      {t('Last used {date} from {address}', {
                        date: formatFullDate(new Date(session.last_used_at)),
                        address: session.address,
                      })}
                    </div>
                    <div className="text-meta text-ink-3">
                      {session.kept
                        ? t('Stays signed in until {date} at the latest', {
                            date: formatFullDate(new Date(session.ends_at)),
                          })
                        : session.biometric
                          ? t('Biometric sign-in until {date}', {
                              date: formatFullDate(new Date(session.ends_at)),
                            })
                          : t('Ends after 1 day of inactivity')}
                    </div>
                  </div>
                  {!session.current && (
                    <Button
                      variant="outline"
                      size="sm"
                      aria-label={t('End session: {device}', { device: name })}
                      busy={end.isPending && end.variables === session.id}
                      onClick={() => endOne(session.id)}
                    >
                      {t('End')}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
          {data.length > 1 && (
            <Button
              variant="quietDanger"
              className="mt-3"
              busy={end.isPending && end.variables === null}
              onClick={() => endOne(null)}
            >
              {t('End all other sessions')}
            </Button>
          )}
        </>
      )}
    </AskedFor>
  );
}

function LoginList() {
  const query = useLogins();
  const words = {
    signed_in: t('Signed in'),
    wrong_password: t('Failed: incorrect password'),
    wrong_code: t('Failed: incorrect code'),
    recovered: t('Signed in with the recovery kit'),
  };
  return (
    <AskedFor query={query} bars={['h-28 w-full']} title={t('Couldn’t load your sign-ins')}>
      {data => (
        <ul aria-label={t('Sign-ins')} className="rounded-card border border-line">
          {data.map(login => {
            const isRefused = login.outcome === 'wrong_password' || login.outcome === 'wrong_code';
            const Icon = isRefused ? ShieldX : LogIn;
            return (
              <li key={login.id} className={lineLook}>
                <Icon
                  aria-hidden
                  size={17}
                  className={isRefused ? 'shrink-0 text-danger' : 'shrink-0 text-ink-3'}
                />
                <div className="min-w-40 flex-1">
                  <div className={isRefused ? 'font-medium text-danger' : 'font-medium'}>
                    {words[login.outcome]}
                  </div>
                  <div className="text-control break-words text-ink-2">
                    {t('{device}, {address}', { device: deviceName(login.device), address: login.address })}
                  </div>
                </div>
                <time dateTime={login.at} className="text-meta text-ink-3 tabular-nums">
                  {formatFullDate(new Date(login.at))}
                </time>
              </li>
            );
          })}
        </ul>
      )}
    </AskedFor>
  );
}

/** Advice for users who were notified of a sign-in or a change that they did not make. */
function NotMeBanner() {
  const steps = [
    { text: t('Change your password.'), label: t('Change password'), page: 'password' },
    {
      text: t('Create a new recovery kit. Until you do, the old recovery words still open your account.'),
      label: t('Recovery kit'),
      page: 'recovery',
    },
    {
      text: t('Remove any second factor that isn’t yours, and create new recovery codes.'),
      label: t('Two-factor authentication'),
      page: 'two-factor',
    },
  ] as const;
  return (
    <div className="mb-4">
      <Banner tone="warn" icon={<ShieldX size={16} />} title={t('If this wasn’t you')}>
        <ol className="ms-4 list-decimal">
          <li>{t('End any session you don’t recognize, or all other sessions.')}</li>
          {steps.map(({ text, label, page }) => (
            <li key={page}>
              {text}
              {sentenceGap()}
              <Link to={securityPath(page)} className="font-medium underline underline-offset-2">
                {label}
              </Link>
            </li>
          ))}
        </ol>
      </Banner>
    </div>
  );
}

export function SessionsPage() {
  const isAlarm = useSearchParams()[0].has('not-me');
  return (
    <SettingsPage
      title={t('Sessions')}
      text={t(
        'Devices where you’re signed in. If you don’t recognize one, end its session and change your password.',
      )}
    >
      {isAlarm && <NotMeBanner />}
      <SessionList />
      <h2 className="mt-8 mb-2 text-pane font-semibold">{t('Sign-ins in the last 90 days')}</h2>
      <LoginList />
    </SettingsPage>
  );
}
