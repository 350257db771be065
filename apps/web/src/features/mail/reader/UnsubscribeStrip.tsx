// Offers to unsubscribe from a mailing list: with one click through the server, so that the
// reader's browser never contacts the list; else with a message that the user confirms, or on a
// page of the list.
import { MailMinus, MailX } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { remoteContentClient } from '../../../session/calls/clients/remote-content.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { AlertDialog } from '../../../ui/AlertDialog.tsx';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { sendAtOnce } from '../../compose/windows/composers.ts';
import { linkPageFor } from '../frame/frame-links.ts';
import type { Unsubscribe } from '../state/unsubscribe.ts';
import type { PersonView } from '../state/view-model.ts';
import { type MailtoDraft, readMailto } from './mailto.ts';

type UnsubscribeStripProps = {
  mailId: string;
  unsubscribe: Unsubscribe;
  sender: string;
  /** Recipients of the message: a list identifies a subscriber by the address that it wrote to. */
  recipients: readonly PersonView[];
};

const LEAVING_TEXT_MAX = 500;

/**
 * Returns the unsubscribe message. It goes to a single address and contains nothing that the
 * confirmation does not show.
 */
function leavingMessage(mailto: string): Pick<MailtoDraft, 'to' | 'subject' | 'text'> {
  const { to, subject, text } = readMailto(mailto);
  return { to: to.slice(0, 1), subject, text: text.slice(0, LEAVING_TEXT_MAX) };
}

/** One line below the subject. */
export function UnsubscribeStrip({ mailId, unsubscribe, sender, recipients }: UnsubscribeStripProps) {
  const [state, setState] = useState<'idle' | 'asking' | 'busy' | 'done'>('idle');
  const [problem, setProblem] = useState<string | null>(null);
  const isByMail = unsubscribe.kind === 'mail';
  const message = isByMail ? leavingMessage(unsubscribe.address) : null;
  const address = message?.to[0]?.address ?? '';
  const leave = async () => {
    setState('busy');
    setProblem(null);
    try {
      if (message === null)
        await remoteContentClient.unsubscribe({ email_id: mailId, url: unsubscribe.address });
      else await sendAtOnce({ ...message, from: recipients.map(person => person.address) });
      setState('done');
    } catch (error) {
      setState('idle');
      setProblem(callErrorText(error));
    }
  };
  const act = () => {
    if (unsubscribe.kind === 'one_click') void leave();
    else if (isByMail) setState('asking');
    else window.open(linkPageFor(unsubscribe.address) ?? '/link', '_blank', 'noopener,noreferrer');
  };
  if (state === 'done') {
    return (
      <Banner tone="neutral" role="status" icon={<MailX size={16} />}>
        {isByMail
          ? t('Unsubscribe request sent to {address}. It may take a few days to take effect.', { address })
          : t('You’ve unsubscribed from {sender}. It may take a few days to take effect.', { sender })}
      </Banner>
    );
  }
  return (
    <>
      <Banner
        tone={problem === null ? 'neutral' : 'danger'}
        role={problem === null ? undefined : 'alert'}
        icon={<MailMinus size={16} />}
        actions={
          <Button variant="inherit" size="xs" busy={state === 'busy'} onClick={act}>
            {state === 'busy' ? t('Unsubscribing…') : t('Unsubscribe')}
          </Button>
        }
      >
        {problem === null
          ? t('This message is from a mailing list.')
          : t('Couldn’t unsubscribe: {problem}', { problem })}
      </Banner>
      <AlertDialog
        open={isByMail && (state === 'asking' || state === 'busy')}
        title={t('Unsubscribe?')}
        confirmLabel={t('Unsubscribe')}
        danger={false}
        busy={state === 'busy'}
        onConfirm={() => void leave()}
        onCancel={() => setState('idle')}
      >
        <p className="break-words">{t('This sends a message to {address}.', { address })}</p>
        {message !== null && message.subject + message.text !== '' && (
          <p dir="auto" className="mt-2 max-h-40 overflow-auto break-words whitespace-pre-wrap text-ink-2">
            {[
              message.subject && t('{what}: {why}', { what: t('Subject'), why: message.subject }),
              message.text,
            ]
              .filter(Boolean)
              .join('\n')}
          </p>
        )}
      </AlertDialog>
    </>
  );
}
