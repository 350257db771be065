// `/app/config/shortcuts`: which set of keys there is, and what each of them does.
import { t } from '../../lib/language.ts';
import { ShortcutSection } from '../../session/commands/ShortcutSection.tsx';
import { type ShortcutSet, setShortcutSet, useShortcutSet } from '../../session/commands/shortcut-keys.ts';
import { useShortcutSections } from '../../session/commands/shortcut-sections.ts';
import { Select } from '../../ui/Select.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';

/** The page. */
export function ShortcutsPage() {
  const set = useShortcutSet();
  const sections = useShortcutSections();
  const sets: readonly { value: ShortcutSet; label: string }[] = [
    { value: 'gmail', label: t('Gmail') },
    { value: 'proton', label: t('Proton') },
    { value: 'off', label: t('Single letters off') },
  ];
  return (
    <SettingsPage title={t('Shortcuts')}>
      <SettingsRow
        label={t('Set of keys')}
        text={t('Arrows, Enter, Escape and keys with Ctrl always work. The question mark shows all of them.')}
      >
        <Select label={t('Set of keys')} hideLabel options={sets} value={set} onChange={setShortcutSet} />
      </SettingsRow>
      {sections.map(section => (
        <ShortcutSection key={section.id} section={section} heading="h2" className="mt-6" />
      ))}
    </SettingsPage>
  );
}
