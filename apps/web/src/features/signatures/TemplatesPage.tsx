// `/app/config/templates`: texts to begin letters with, sealed on this device (record kind `template`).
import { FileText } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { randomId } from '../../lib/random-id.ts';
import { removeTemplate, saveTemplate, templatesKey, useTemplates } from '../compose/draft/queries.ts';
import { TextEntryPage } from './TextEntryPage.tsx';

/** Most characters of a template; sealed and as base64 it must fit into a record. */
const maxCharacters = { html: 100_000, text: 40_000 } as const;

const words = () => ({
  title: t('Templates'),
  about: t('Texts to begin letters with. They are sealed on this device; the server cannot read them.'),
  create: t('New template'),
  change: t('Change template'),
  none: t('No templates yet'),
  noneAbout: t('Write one here, or keep a letter as a template from its menu.'),
  notFetched: t('The templates could not be fetched.'),
  deleted: t('Template deleted'),
  field: t('Text'),
});

/** The page. */
export function TemplatesPage() {
  const { data, ...fetching } = useTemplates(true);
  return (
    <TextEntryPage
      words={words()}
      icon={<FileText />}
      all={data}
      fetching={fetching}
      maxCharacters={maxCharacters}
      queryKeys={[templatesKey]}
      begin={() => ({ id: randomId(), version: 0, name: '', html: '', text: '' })}
      isNew={template => template.version === 0}
      revive={template => ({ ...template, id: randomId(), version: 0 })}
      textOf={template => template}
      withText={({ id, version }, { name, html, text }) => ({ id, version, name, html, text })}
      save={saveTemplate}
      remove={template => removeTemplate(template.id)}
    />
  );
}
