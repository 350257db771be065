// `/app/config/account`: who one is here, what the mailbox uses, how the program looks, and the way out.
import type { ReactNode } from 'react';
import { formatSize } from '../../lib/sizes.ts';
import { useUser } from '../../session/current-user.ts';
import { setThemeMode, type ThemeMode, useThemeMode } from '../../theme/theme-mode.ts';
import { Meter } from '../../ui/Meter.tsx';
import { Select } from '../../ui/Select.tsx';

const themes: readonly { value: ThemeMode; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function Row({ label, text, children }: { label: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-4">
      <div className="min-w-48 flex-1">
        <div className="font-medium">{label}</div>
        <div className="text-control text-ink-2">{text}</div>
      </div>
      <div className="min-w-0 break-all">{children}</div>
    </div>
  );
}

/** The account's page. */
export function AccountScreen() {
  const user = useUser();
  const mode = useThemeMode();
  if (user === null) return null;
  const used = user.storage_used;
  const limit = user.plan_config.storage_limit;
  return (
    <div id="list" tabIndex={-1} className="h-full overflow-auto bg-surface">
      <div className="mx-auto max-w-[920px] px-6 py-8">
        <h1 className="mb-4 text-page font-semibold tracking-tight">Account</h1>
        <Row label="Name" text="Others see it beside your address.">
          {user.name}
        </Row>
        <Row label="Address" text="You sign in with it and receive mail at it.">
          {user.email}
        </Row>
        {user.addresses.length > 0 && (
          <Row label="More addresses" text="Mail to them arrives here too.">
            {user.addresses.join(', ')}
          </Row>
        )}
        <Row label="Storage" text={`${formatSize(used)} of ${formatSize(limit)} used`}>
          <div className="w-48">
            <Meter
              label="Storage"
              percent={limit === 0 ? 0 : Math.min(100, (used / limit) * 100)}
              valueText={`${formatSize(used)} of ${formatSize(limit)}`}
            />
          </div>
        </Row>
        <Row label="Theme" text="System follows this device.">
          <Select label="Theme" hideLabel options={themes} value={mode} onChange={setThemeMode} />
        </Row>
        <Row label="Key" text="The fingerprint of the keys that open your mail.">
          <code className="font-mono text-meta">{user.main_key.key_id}</code>
        </Row>
      </div>
    </div>
  );
}
