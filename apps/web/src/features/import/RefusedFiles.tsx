// Unreadable files, each with the reason.
import { CircleAlert } from 'lucide-react';
import type { OpenedImport } from '../../crypto/import/import-types.ts';
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Link } from '../../ui/Link.tsx';
import { fileText } from './import-words.ts';

type RefusedFilesProps = {
  refused: OpenedImport['refused'];
  /** `danger` when no file can be imported. */
  tone: 'warn' | 'danger';
};

/** One strip per file; renders nothing without files. */
export function RefusedFiles({ refused, tone }: RefusedFilesProps) {
  return refused.map(({ name, why }, index) => (
    <Banner
      // biome-ignore lint/suspicious/noArrayIndexKey: two files can have the same name
      key={index}
      tone={tone}
      icon={<CircleAlert size={16} />}
      title={<bdi className="wrap-anywhere">{name}</bdi>}
      role={tone === 'danger' ? 'alert' : undefined}
      below={
        why === 'contacts' ? (
          <Link alone to={settingsPath('contacts')}>
            {t('Go to Contacts')}
          </Link>
        ) : undefined
      }
    >
      {fileText(why)}
    </Banner>
  ));
}
