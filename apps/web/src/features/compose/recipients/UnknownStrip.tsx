// Says that sending is blocked because somebody's address is one of this service that nobody has, so mistyped most likely.
import { UserX } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import type { RecipientView } from '../draft/view-model.ts';

/** The red strip under the recipients; nothing while every address may be somebody's. */
export function UnknownStrip({ people }: { people: readonly RecipientView[] }) {
  const unknown = people.filter(({ state }) => state === 'unknown');
  if (unknown.length === 0) return null;
  return (
    <div role="alert" className="shrink-0 bg-danger-bg px-4 py-2 text-control leading-[18px] text-danger">
      {unknown.map(({ address }) => (
        <div key={address} className="flex items-start gap-2.5">
          <UserX aria-hidden size={16} className="mt-px shrink-0" />
          <span className="min-w-0 break-words">
            <b className="font-strong">{t('Nobody has the address {address}.', { address })}</b>{' '}
            {t('Correct it or remove it before you send.')}
          </span>
        </div>
      ))}
    </div>
  );
}
