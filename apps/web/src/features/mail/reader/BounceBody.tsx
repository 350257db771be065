// A bounce notice in plain language: which recipients failed and why, what to do about it, and the
// servers' responses behind Details. A notice can be forged, so resending is offered only for
// recipients of the original message.
import type { DeliveryReport } from '@keyfold/mail/mime/delivery-status';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Send } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { Button } from '../../../ui/Button.tsx';
import { sendAgain } from '../../compose/windows/composers.ts';
import { addresseesIn, bounceWords, failedRecipients, technicalText } from '../state/bounce-words.ts';
import { fetchRows, toBase64, wholeMailQuery } from '../state/queries.ts';
import { LongText } from './LongBody.tsx';

type BounceBodyProps = {
  report: DeliveryReport;
  /** The notice's own text. */
  text: string;
};

/**
 * Returns the user's own message that the notice is about, and the recipients that it can be resent
 * to.
 */
function useOriginal(report: DeliveryReport) {
  const cache = useQueryClient();
  const { originalId } = report;
  const { data } = useQuery({
    queryKey: ['bounced', originalId],
    enabled: originalId !== null && failedRecipients(report).length > 0,
    queryFn: async () => {
      const { rows } = await fetchRows({ message_id: toBase64(originalId ?? ''), sent: true, count: 10 });
      const row = rows.find(({ mail }) => mail.message_id === originalId);
      return row === undefined ? null : cache.fetchQuery(wholeMailQuery(row.mail.id));
    },
  });
  return data === undefined || data === null ? null : { original: data, people: addresseesIn(data, report) };
}

/** The notice as shown to the user. */
export function BounceBody({ report, text }: BounceBodyProps) {
  const found = useOriginal(report);
  return (
    <div className="flex flex-col gap-4">
      <ul className="flex flex-col gap-3">
        {report.recipients.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a notice never changes
          <li key={index}>
            <p className="text-body font-semibold">{bounceWords(one)}</p>
            <bdi className="text-control wrap-anywhere text-ink-2">{one.address}</bdi>
          </li>
        ))}
      </ul>
      {found !== null && found.people.length > 0 && (
        <div className="flex flex-wrap gap-2 print:hidden">
          <Button variant="outline" onClick={() => sendAgain(found.original.content, found.people, true)}>
            <Send size={16} />
            {t('Resend')}
          </Button>
          <Button variant="outline" onClick={() => sendAgain(found.original.content, found.people, false)}>
            <Pencil size={16} />
            {t('Edit')}
          </Button>
        </div>
      )}
      <details className="text-control">
        <summary className="w-fit cursor-pointer rounded-control py-1 text-ink-2 hover:text-ink">
          {t('Details')}
        </summary>
        <div dir="ltr" className="mt-2 flex flex-col gap-3 text-start text-ink-2">
          {report.recipients.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a notice never changes
            <pre key={index} className="font-mono text-meta wrap-anywhere whitespace-pre-wrap">
              {`${one.address}\n${technicalText(one)}`}
            </pre>
          ))}
          <LongText text={text} />
        </div>
      </details>
    </div>
  );
}
