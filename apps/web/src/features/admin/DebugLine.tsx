// Output of the Debug switch: the last request, its duration, the age of the token, the IDs of the
// rows; never a token.
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { csrfAgeMs, useLastRequest } from '../../session/calls/as-admin.ts';
import { debugClockMs } from '../../timing.ts';

export function DebugLine({ rowIds }: { rowIds: readonly string[] }) {
  const last = useLastRequest();
  const [ageMs, setAge] = useState(csrfAgeMs);
  useEffect(() => {
    const clock = setInterval(() => setAge(csrfAgeMs()), debugClockMs);
    return () => clearInterval(clock);
  }, []);
  const facts: readonly (readonly [string, string])[] = [
    [t('Last request'), last === null ? '-' : `${last.call} ${last.outcome}`],
    [t('Duration'), last === null ? '-' : `${last.tookMs} ms`],
    [t('CSRF token age'), ageMs === null ? '-' : `${Math.floor(ageMs / 1000)} s`],
    [t('Row IDs'), rowIds.length === 0 ? '-' : rowIds.join(' ')],
  ];
  return (
    <dl
      aria-label={t('Debug')}
      dir="ltr"
      className="mb-4 max-h-40 overflow-auto rounded-card border border-line bg-well p-3 font-mono text-meta"
    >
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-4">
          <dt className="min-w-40 text-ink-2">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
