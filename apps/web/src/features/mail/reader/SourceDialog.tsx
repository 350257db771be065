// Shows the headers or the whole source of a message as text.
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { loadAgain } from '../../../lib/load-again.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { fetchSource } from '../state/attachments.ts';
import type { WholeMail } from '../state/queries.ts';

/** Maximum number of characters of source put into the page. Longer sources can be downloaded. */
const SHOWN_MAX_CHARACTERS = 500_000;

const headersOf = ({ mail, content }: WholeMail): string =>
  content.failed === null
    ? content.parsed.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')
    : mail.headers;

export type SourceDialogProps = {
  whole: WholeMail;
  part: 'headers' | 'source';
  onDownload: () => void;
  onClose: () => void;
};

/** The headers or source of one message. */
export function SourceDialog({ whole, part, onDownload, onClose }: SourceDialogProps) {
  const { data, error } = useQuery({
    queryKey: ['mail-source', whole.mail.id, part],
    gcTime: 0,
    queryFn: async () => {
      if (part === 'headers') return headersOf(whole);
      const { sourceText } = await loadAgain(() => import('@keyfold/mail/mime/source-text'));
      return sourceText(await fetchSource(whole.mail));
    },
  });
  const text = data?.slice(0, SHOWN_MAX_CHARACTERS);
  return (
    <Dialog open onClose={onClose} title={part === 'headers' ? t('Headers') : t('Message source')} wide>
      {error !== null && <p className="text-danger">{callErrorText(error)}</p>}
      {text === undefined && error === null && <Spinner />}
      {text !== undefined && (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <CopyButton text={data ?? ''} label={t('Copy')} />
            <Button variant="quiet" size="sm" onClick={onDownload}>
              <Download size={15} />
              {t('Download .eml')}
            </Button>
          </div>
          <section
            aria-label={t('Text')}
            // Keyboard users must be able to scroll long text.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable
            tabIndex={0}
            className="mt-3 max-h-[60dvh] overflow-auto rounded-control bg-well p-3"
          >
            <pre dir="ltr" className="font-mono text-meta whitespace-pre-wrap break-all">
              {text}
            </pre>
          </section>
          {data !== undefined && data.length > SHOWN_MAX_CHARACTERS && (
            <p className="mt-2 text-control text-ink-2">
              {t('Only the beginning is shown. Download the message to see all of it.')}
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}
