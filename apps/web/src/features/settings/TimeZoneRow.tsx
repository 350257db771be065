// Chooses the time zone for displaying and choosing times: the device's zone or one that the user
// names. A choice reloads the page, because every displayed time changes.
import { useState } from 'react';
import { formatLocale, t } from '../../lib/language.ts';
import { chosenZone, keepZone } from '../../lib/time-zone.ts';
import { deviceZone } from '../../lib/wall-time.ts';
import { Select } from '../../ui/Select.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { SuggestInput } from '../../ui/SuggestInput.tsx';
import { allZones, findZones, placeOf, type ZoneEntry } from './time-zones.ts';

function choose(zone: string | null): void {
  keepZone(zone);
  location.reload();
}

const clockIn = (zone: string): string =>
  new Date().toLocaleTimeString(formatLocale(), { timeZone: zone, timeStyle: 'short' });

export function TimeZoneRow() {
  const chosen = chosenZone();
  const [isSeeking, setSeeking] = useState(false);
  return (
    <SettingsRow
      label={t('Time zone')}
      text={t('Used for message times, scheduled sending and snoozing. This setting applies to this device.')}
    >
      {isSeeking ? (
        <ZoneField onBlur={() => setSeeking(false)} />
      ) : (
        <Select
          label={t('Time zone')}
          hideLabel
          options={[
            { value: '', label: t('This device: {place}', { place: placeOf(deviceZone()) }) },
            ...(chosen === null ? [] : [{ value: chosen, label: placeOf(chosen) }]),
            { value: 'other', label: t('Other time zone…') },
          ]}
          value={chosen ?? ''}
          onChange={value => {
            if (value === 'other') setSeeking(true);
            else choose(value === '' ? null : value);
          }}
        />
      )}
    </SettingsRow>
  );
}

function ZoneField({ onBlur }: { onBlur: () => void }) {
  const [zones] = useState(allZones);
  const [typed, setTyped] = useState('');
  const found = findZones(zones, typed);
  return (
    <div className="w-72 max-w-full">
      <div className="flex h-9 items-center rounded-control border border-line-strong bg-surface px-3 focus-within:outline-2 focus-within:outline-focus pointer-coarse:h-11">
        <SuggestInput<ZoneEntry>
          label={t('City or time zone')}
          inputRef={field => field?.focus()}
          placeholder={t('City or time zone')}
          text={typed}
          onTextChange={setTyped}
          items={found}
          keyOf={({ zone }) => zone}
          renderItem={({ zone, place, name }) => (
            <>
              <span className="min-w-0 flex-1">
                <span className="block truncate">{place}</span>
                <span className="block truncate text-meta text-ink-2">{name}</span>
              </span>
              <span className="text-meta text-ink-2 tabular-nums">{clockIn(zone)}</span>
            </>
          )}
          onPick={({ zone }) => choose(zone)}
          onKeyDown={(event, hasHighlight) => {
            if (event.key === 'Escape' && !hasHighlight) onBlur();
          }}
          onBlur={onBlur}
        />
      </div>
      <p role="status" className="mt-1 text-control text-ink-2">
        {typed.trim() !== '' && found.length === 0 ? t('No matching time zones') : ''}
      </p>
    </div>
  );
}
