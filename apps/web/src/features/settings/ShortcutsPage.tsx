// `/app/config/shortcuts`: the choice of the shortcut set, and what each key does.
import { t } from '../../lib/language.ts';
import { ShortcutSection } from '../../session/commands/ShortcutSection.tsx';
import { type ShortcutSet, setShortcutSet, useShortcutSet } from '../../session/commands/shortcut-keys.ts';
import { useShortcutSections } from '../../session/commands/shortcut-sections.ts';
import { Select } from '../../ui/Select.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';

export function ShortcutsPage() {
  const set = useShortcutSet();
  const sections = useShortcutSections();
  const sets: readonly { value: ShortcutSet; label: string }[] = [
    { value: 'gmail', label: t('Gmail') },
    { value: 'proton', label: t('Proton') },
    { value: 'off', label: t('Single-letter shortcuts off') },
  ];
  return (
    <SettingsPage title={t('Shortcuts')}>
      <SettingsRow
        label={t('Shortcut set')}
        text={t(
          'Arrow keys, Enter, Escape and shortcuts with Ctrl always work. Press ? to see all shortcuts.',
        )}
      >
        <Select label={t('Shortcut set')} hideLabel options={sets} value={set} onChange={setShortcutSet} />
      </SettingsRow>
      {sections.map(section => (
        <ShortcutSection key={section.id} section={section} heading="h2" className="mt-6" />
      ))}
    </SettingsPage>
  );
}
