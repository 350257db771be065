// `/app/config/templates`: message templates, sealed on this device (record kind `template`).
import { FileText } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { randomId } from '../../lib/random-id.ts';
import { removeTemplate, saveTemplate, templatesKey, useTemplates } from '../compose/draft/queries.ts';
import { TextEntryPage } from './TextEntryPage.tsx';

/**
 * Maximum number of characters of a template; sealed and base64-encoded, it must fit into a record.
 */
const maxCharacters = { html: 100_000, text: 40_000 } as const;

const words = () => ({
  title: t('Templates'),
  about: t(
    'Reusable texts for your messages. They are encrypted on this device; the server can’t read them.',
  ),
  create: t('New template'),
  change: t('Edit template'),
  none: t('No templates yet'),
  noneAbout: t('Create one here, or save a message as a template from the composer menu.'),
  notFetched: t('Couldn’t load templates.'),
  deleted: t('Template deleted'),
  field: t('Text'),
});

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
