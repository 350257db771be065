// `/app/config/appearance`: how mail looks on this device. Every choice counts at once.
import { t } from '../../lib/language.ts';
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
      return t('Archive');
    case 'delete':
      return t('Delete');
    case 'read':
      return t('Mark read or unread');
    case 'star':
      return t('Star or remove star');
    case 'snooze':
      return t('Snooze');
    case 'none':
      return t('Nothing');
  }
}

/** The page. */
export function AppearancePage() {
  const settings = usePreferences();
  const densities: readonly { value: Preferences['density']; label: string }[] = [
    { value: 'comfortable', label: t('Comfortable, three lines') },
    { value: 'compact', label: t('Compact, two lines') },
    { value: 'line', label: t('One line') },
  ];
  const starts = folders.flatMap(({ tag, label }) => {
    const value = startPages.find(one => one === tag);
    return value === undefined ? [] : [{ value, label: t(label) }];
  });
  const swipes = swipeActions.map(value => ({ value, label: swipeWords(value) }));
  return (
    <SettingsPage title={t('Appearance')} text={t('These settings are kept on this device.')}>
      <SettingsRow wide label={t('Theme')} text={t('System follows this device.')}>
        <ThemePictures />
      </SettingsRow>
      <SelectRow
        label={t('Density')}
        text={t('How many messages fit on the screen. A phone always shows three lines.')}
        options={densities}
        value={settings.density}
        onChange={density => setPreference('density', density)}
      />
      <SettingsRow
        label={t('Reading pane')}
        text={t('Beside the list. Without it a message takes the place of the list.')}
      >
        <Switch
          label={t('Reading pane')}
          checked={settings.readingPane === 'on'}
          onChange={isOn => setPreference('readingPane', isOn ? 'on' : 'off')}
        />
      </SettingsRow>
      <SelectRow
        label={t('After archiving or deleting')}
        text={t('What is shown when the open message has gone.')}
        options={[
          { value: 'next', label: t('The next message') },
          { value: 'list', label: t('The list') },
        ]}
        value={settings.afterAction}
        onChange={next => setPreference('afterAction', next)}
      />
      <SelectRow
        label={t('Start page')}
        text={t('What is shown when you open Keyfold or sign in.')}
        options={starts}
        value={settings.startPage}
        onChange={folder => setPreference('startPage', folder)}
      />
      <UndoSendRow />
      <SelectRow
        label={t('Swipe towards the end')}
        text={t('On touch screens, over a row of the list.')}
        options={swipes}
        value={settings.swipeEnd}
        onChange={action => setPreference('swipeEnd', action)}
      />
      <SelectRow
        label={t('Swipe towards the start')}
        options={swipes}
        value={settings.swipeStart}
        onChange={action => setPreference('swipeStart', action)}
      />
    </SettingsPage>
  );
}
