// Shown beside the sender and subject of a message that could not be decrypted: these come from the
// server and may be forged.
import { t } from '../../../lib/language.ts';

/** The label "unproven", with the full explanation on demand. */
export function UnprovenMark() {
  return (
    <span
      title={t('The sender and subject can’t be confirmed')}
      className="inline-block shrink-0 rounded-full border border-danger px-1.5 align-middle text-tiny leading-4 font-semibold text-danger"
    >
      {t('unconfirmed')}
    </span>
  );
}
