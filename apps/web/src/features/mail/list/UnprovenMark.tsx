// Stands beside the sender and the subject of a mail that did not open: they are what the server says, and anybody's.
import { t } from '../../../lib/language.ts';

/** "unproven", with the whole sentence for those who ask. */
export function UnprovenMark() {
  return (
    <span
      title={t('Nothing proves who sent this and what its subject is')}
      className="inline-block shrink-0 rounded-full border border-danger px-1.5 align-middle text-tiny leading-4 font-semibold text-danger"
    >
      {t('unproven')}
    </span>
  );
}
