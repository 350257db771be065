// Checklist for a new account, below the inbox list. Completed steps are checked off; closing the
// card removes it permanently.
import { Check, Circle, X } from 'lucide-react';
import { Link } from 'react-router';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { isNative } from '../../../native/is-native.ts';
import { securityPath, settingsPath } from '../../../paths.ts';
import { useInstallation } from '../../../platform/installation.ts';
import { useUser } from '../../../session/state/current-user.ts';
import { closeFirstSteps, type NotedStep } from '../../../session/state/first-steps.ts';
import { useAddressBook } from '../../../session/trust/address-book.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { openComposer } from '../../compose/windows/composers.ts';
import { useMailCounts } from '../state/queries.ts';

type Step = {
  label: string;
  isDone: boolean;
  /** Page where the step is done. Without a path, the step starts a draft. */
  path?: string;
};

function useSteps(noted: readonly NotedStep[]): readonly Step[] {
  const user = useUser();
  const { data: counts } = useMailCounts();
  const isInstalled = useInstallation() === 'installed';
  const people = useAddressBook()?.people ?? [];
  return [
    {
      label: t('Save your recovery kit'),
      isDone: user?.recovery_at != null,
      path: securityPath('recovery'),
    },
    { label: t('Send your first message'), isDone: (counts?.folders.sent?.total ?? 0) > 0 },
    {
      label: t('Import your old mail'),
      isDone: noted.includes('import'),
      path: settingsPath('import'),
    },
    {
      label: t('Get Keyfold on your phone'),
      isDone: noted.includes('phone') || isNative() || isInstalled,
      path: settingsPath('device'),
    },
    {
      label: t('Verify a contact'),
      isDone: people.some(({ pin }) => pin?.verified != null),
      path: settingsPath('contacts'),
    },
  ];
}

export function FirstSteps({ noted }: { noted: readonly NotedStep[] }) {
  const steps = useSteps(noted);
  const done = steps.filter(({ isDone }) => isDone).length;
  const look =
    'flex min-h-8 w-full items-center gap-2.5 rounded-control px-2 text-start text-control hover:bg-hover pointer-coarse:min-h-11';
  return (
    <aside
      aria-label={t('Getting started')}
      className="m-3 shrink-0 rounded-card border border-line bg-surface p-2 max-pane:mb-24 print:hidden"
    >
      <div className="flex items-center gap-2 ps-2">
        <h2 className="min-w-0 flex-1 text-control font-semibold">{t('Getting started')}</h2>
        <span className="text-meta text-ink-3 tabular-nums">
          {t('{done} of {total}', { done, total: steps.length })}
        </span>
        <IconButton label={t('Dismiss checklist')} onClick={closeFirstSteps}>
          <X size={16} />
        </IconButton>
      </div>
      <ul>
        {steps.map(({ label, isDone, path }) => {
          const words = (
            <>
              {isDone ? (
                <Check aria-hidden size={16} className="shrink-0 text-secure" />
              ) : (
                <Circle aria-hidden size={16} className="shrink-0 text-ink-3" />
              )}
              <span className={cn('min-w-0 flex-1', isDone && 'text-ink-3 line-through')}>{label}</span>
              {isDone && <span className="sr-only">{t('Done')}</span>}
            </>
          );
          return (
            <li key={label}>
              {path === undefined ? (
                <button type="button" className={look} onClick={() => openComposer()}>
                  {words}
                </button>
              ) : (
                <Link to={path} className={look}>
                  {words}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </aside>
  );
}
