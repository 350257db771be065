// Offers the way out of a mailing list: with one click through the server, so that the list does not see the reader; else
// by a mail or on a page of the list.
import { MailMinus, MailX } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/error-text.ts';
import { lettersClient } from '../../session/letters-client.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { linkPageFor } from './frame-links.ts';
import type { Unsubscribe } from './unsubscribe.ts';

interface UnsubscribeStripProps {
  mailId: string;
  unsubscribe: Unsubscribe;
  sender: string;
  onCompose: (mailto: string) => void;
}

/** One line under the subject. */
export function UnsubscribeStrip({ mailId, unsubscribe, sender, onCompose }: UnsubscribeStripProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle');
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async () => {
    setState('busy');
    setProblem(null);
    try {
      await lettersClient.remote.unsubscribe({ email_id: mailId, url: unsubscribe.address });
      setState('done');
    } catch (error) {
      setState('idle');
      setProblem(callErrorText(error));
    }
  };
  const act = () => {
    if (unsubscribe.kind === 'one_click') void leave();
    else if (unsubscribe.kind === 'mail') onCompose(unsubscribe.address);
    else window.open(linkPageFor(unsubscribe.address) ?? '/link', '_blank', 'noopener,noreferrer');
  };
  if (state === 'done') {
    return (
      <Banner tone="neutral" role="status" icon={<MailX size={16} />}>
        {t('You have unsubscribed from {sender}. It can take some days until no more comes.', { sender })}
      </Banner>
    );
  }
  return (
    <Banner
      tone={problem === null ? 'neutral' : 'danger'}
      role={problem === null ? undefined : 'alert'}
      icon={<MailMinus size={16} />}
      actions={
        <Button variant="inherit" size="xs" busy={state === 'busy'} onClick={act}>
          {state === 'busy'
            ? t('Unsubscribing…')
            : unsubscribe.kind === 'mail'
              ? t('Write to unsubscribe')
              : t('Unsubscribe')}
        </Button>
      }
    >
      {problem === null
        ? t('This message came by a mailing list.')
        : t('Unsubscribing failed: {problem}', { problem })}
    </Banner>
  );
}
