// Warns before sending that the server will see the text, names the recipients concerned, and
// explains how to keep the others encrypted.
import { TriangleAlert } from 'lucide-react';
import { sentenceGap, t } from '../../../lib/language.ts';
import { plainWarning, type RecipientSummary } from '../recipients/recipient-words.ts';

type PlainWarningProps = {
  summary: RecipientSummary;
  onSendTwoCopies: () => void;
};

/** The amber strip under the recipients; renders nothing while no recipient is plain. */
export function PlainWarning({ summary, onSendTwoCopies }: PlainWarningProps) {
  if (summary.plain.length === 0) return null;
  const words = plainWarning(summary);
  return (
    <div
      role="status"
      className="flex shrink-0 items-start gap-2.5 bg-warn-bg px-4 py-2 text-control leading-[18px] text-warn"
    >
      <TriangleAlert aria-hidden size={16} className="mt-px shrink-0" />
      <div className="min-w-0 break-words">
        <b className="font-strong">{words.title}</b>
        {sentenceGap()}
        {words.text}
        {sentenceGap()}
        {words.keepsEncrypted !== '' && (
          <>
            <button
              type="button"
              onClick={onSendTwoCopies}
              className="relative rounded-chip font-semibold underline underline-offset-2 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3.5 hover:no-underline"
            >
              {t('Send two copies')}
            </button>
            {sentenceGap()}
            {words.keepsEncrypted}
          </>
        )}
      </div>
    </div>
  );
}
