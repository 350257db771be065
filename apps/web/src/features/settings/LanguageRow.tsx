// The language of the screens on this device; choosing one loads the page anew.
import { t } from '../../lib/language.ts';
import {
  keepLanguageChoice,
  type LanguageChoice,
  languageChoice,
  languages,
} from '../../lib/language-choice.ts';
import { SelectRow } from '../../ui/SelectRow.tsx';

/** The row. */
export function LanguageRow() {
  const names: readonly { value: LanguageChoice; label: string }[] = [
    { value: 'system', label: t('As the system') },
    ...Object.entries(languages).map(([tag, { name }]) => ({ value: tag as LanguageChoice, label: name })),
  ];
  return (
    <SelectRow
      label={t('Language')}
      text={t('The page reloads in the chosen language. It is kept on this device.')}
      options={names}
      value={languageChoice()}
      onChange={choice => {
        keepLanguageChoice(choice);
        location.reload();
      }}
    />
  );
}
