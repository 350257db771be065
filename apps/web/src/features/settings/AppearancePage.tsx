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
} from '../../session/preferences.ts';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { SettingsRow } from './SettingsRow.tsx';
import { ThemePictures } from './ThemePictures.tsx';
import { UndoSendRow } from './UndoSendRow.tsx';

const swipeWords = (action: SwipeAction): string => {
  switch (action) {
    case 'archive':
      return t('Archive');
    case 'delete':
      return t('Delete');
    case 'read':
      return t('Mark read or unread');
    case 'snooze':
      return t('Snooze');
    case 'none':
      return t('Nothing');
  }
};

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
      <SettingsRow
        label={t('Density')}
        text={t('How many messages fit on the screen. A phone always shows three lines.')}
      >
        <Select
          label={t('Density')}
          hideLabel
          options={densities}
          value={settings.density}
          onChange={density => setPreference('density', density)}
        />
      </SettingsRow>
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
      <SettingsRow
        label={t('After archiving or deleting')}
        text={t('What is shown when the open message has gone.')}
      >
        <Select
          label={t('After archiving or deleting')}
          hideLabel
          options={[
            { value: 'next', label: t('The next message') },
            { value: 'list', label: t('The list') },
          ]}
          value={settings.afterAction}
          onChange={next => setPreference('afterAction', next)}
        />
      </SettingsRow>
      <SettingsRow label={t('Start page')} text={t('What is shown when you open Keyfold or sign in.')}>
        <Select
          label={t('Start page')}
          hideLabel
          options={starts}
          value={settings.startPage}
          onChange={folder => setPreference('startPage', folder)}
        />
      </SettingsRow>
      <UndoSendRow />
      <SettingsRow label={t('Swipe towards the end')} text={t('On touch screens, over a row of the list.')}>
        <Select
          label={t('Swipe towards the end')}
          hideLabel
          options={swipes}
          value={settings.swipeEnd}
          onChange={action => setPreference('swipeEnd', action)}
        />
      </SettingsRow>
      <SettingsRow label={t('Swipe towards the start')}>
        <Select
          label={t('Swipe towards the start')}
          hideLabel
          options={swipes}
          value={settings.swipeStart}
          onChange={action => setPreference('swipeStart', action)}
        />
      </SettingsRow>
    </SettingsPage>
  );
}
