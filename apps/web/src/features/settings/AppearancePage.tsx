// `/app/config/appearance`: the appearance of mail on this device. Every choice applies at once.
import { t, tAs } from '../../lib/language.ts';
import { folders } from '../../paths.ts';
import {
  type Preferences,
  type SwipeAction,
  setPreference,
  startPages,
  swipeActions,
  usePreferences,
} from '../../session/state/preferences.ts';
import { SelectRow } from '../../ui/SelectRow.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { ThemePictures } from './ThemePictures.tsx';
import { UndoSendRow } from './UndoSendRow.tsx';

function swipeWords(action: SwipeAction): string {
  switch (action) {
    case 'archive':
      return tAs('verb', 'Archive');
    case 'delete':
      return t('Delete');
    case 'read':
      return t('Mark as read or unread');
    case 'star':
      return t('Add or remove star');
    case 'snooze':
      return tAs('verb', 'Snooze');
    case 'none':
      return t('No action');
  }
}

export function AppearancePage() {
  const settings = usePreferences();
  const densities: readonly { value: Preferences['density']; label: string }[] = [
    { value: 'comfortable', label: t('Comfortable (three lines)') },
    { value: 'compact', label: t('Compact (two lines)') },
    { value: 'line', label: t('One line') },
  ];
  const starts = folders.flatMap(({ tag, label }) => {
    const value = startPages.find(one => one === tag);
    return value === undefined ? [] : [{ value, label: t(label) }];
  });
  const swipes = swipeActions.map(value => ({ value, label: swipeWords(value) }));
  return (
    <SettingsPage title={t('Appearance')} text={t('These settings apply to this device.')}>
      <SettingsRow wide label={t('Theme')} text={t('System matches the setting of your device.')}>
        <ThemePictures />
      </SettingsRow>
      <SelectRow
        label={t('Density')}
        text={t('How many messages fit on the screen. Phones always show three lines.')}
        options={densities}
        value={settings.density}
        onChange={density => setPreference('density', density)}
      />
      <SettingsRow
        label={t('Reading pane')}
        text={t('Shows messages beside the list. When off, an open message replaces the list.')}
      >
        <Switch
          label={t('Reading pane')}
          checked={settings.readingPane === 'on'}
          onChange={isOn => setPreference('readingPane', isOn ? 'on' : 'off')}
        />
      </SettingsRow>
      <SelectRow
        label={t('After archiving or deleting')}
        text={t('What to show when the open message is gone.')}
        options={[
          { value: 'next', label: t('Next message') },
          { value: 'list', label: t('Message list') },
        ]}
        value={settings.afterAction}
        onChange={next => setPreference('afterAction', next)}
      />
      <SelectRow
        label={t('Start page')}
        text={t('What to show when you open Keyfold or sign in.')}
        options={starts}
        value={settings.startPage}
        onChange={folder => setPreference('startPage', folder)}
      />
      <UndoSendRow />
      <SelectRow
        label={t('Swipe right')}
        text={t('On touch screens, swipe across a message in the list.')}
        options={swipes}
        value={settings.swipeEnd}
        onChange={action => setPreference('swipeEnd', action)}
      />
      <SelectRow
        label={t('Swipe left')}
        options={swipes}
        value={settings.swipeStart}
        onChange={action => setPreference('swipeStart', action)}
      />
    </SettingsPage>
  );
}
