// Compares one's own view of somebody's keys with theirs, and decides about a changed key (docs/interface.md#verifying-people):
// numbers and a code that are the same on both screens only if nobody sits between. The first focus is on the answer that
// changes nothing.
import { useQuery } from '@tanstack/react-query';
import { Copy, ScanQrCode, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { keys as keyWorker } from '../../crypto/key-client.ts';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useAddressBook } from '../../session/trust/address-book.ts';
import { emptyBook, findMismatch, findPerson, type Mark } from '../../session/trust/pins.ts';
import { findKeys, forgetKeys, type KnownKeys, trustOf } from '../../session/trust/recipient-keys.ts';
import { ACTION_TOAST_MS } from '../../timing.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import type { ToastInput } from '../../ui/toast-store.ts';
import { showToast } from '../../ui/toasts.ts';
import { acceptNew, keepMismatch, markVerified, undoMismatch } from './changes.ts';
import { SafetyNumber } from './SafetyNumber.tsx';
import { ScanPanel } from './ScanPanel.tsx';

export type VerifyDialogProps = {
  address: string;
  name: string;
  onClose: () => void;
};

type Seen = { readonly known: KnownKeys; readonly number: string | null };

/** What the directory says now, whatever was asked before. */
async function look(address: string): Promise<Seen> {
  forgetKeys([address]);
  const [known] = await findKeys([address]);
  if (known === undefined) throw new Error(t('Key could not be loaded'));
  return { known, number: 'plaintext' in known ? null : await keyWorker().safetyNumberWith(known) };
}

/** Open while mounted. */
export function VerifyDialog({ address, name, onClose }: VerifyDialogProps) {
  const book = useAddressBook() ?? emptyBook;
  const person = name || findPerson(book, address)?.name || address;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['verify', address],
    queryFn: () => look(address),
    gcTime: 0,
    retry: false,
  });
  const notNow = useRef<HTMLButtonElement>(null);
  const [isScanning, setScanning] = useState(false);
  const [asksAccept, setAsksAccept] = useState(false);
  const [asksUndo, setAsksUndo] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const trust = data === undefined ? null : trustOf(address, data.known);
  const hasKeys = data?.number != null;
  const mismatchAt = findMismatch(book, address);
  const run = async (work: () => Promise<unknown>, done: ToastInput) => {
    setBusy(true);
    try {
      await work();
      showToast(done);
      onClose();
    } catch (failure) {
      showToast({ tone: 'danger', text: callErrorText(failure) });
      setBusy(false);
      setAsksAccept(false);
      setAsksUndo(false);
    }
  };
  const verify = (how: Mark) => {
    if (data !== undefined)
      void run(() => markVerified(address, name, data.known, how), {
        tone: 'success',
        text: t('{person} is verified', { person }),
      });
  };
  const accept = () => {
    if (data !== undefined)
      void run(() => acceptNew(address, data.known), {
        tone: 'success',
        text: t('The new key of {person} is accepted', { person }),
      });
  };
  const mismatch = () => {
    if (data !== undefined)
      void run(() => keepMismatch(address, name, data.known), {
        tone: 'danger',
        text: t(
          '{person} is marked as not matching, and sending to them is blocked. To undo it, choose Review in Contacts.',
          { person },
        ),
        durationMs: ACTION_TOAST_MS,
      });
  };
  const undo = () =>
    void run(() => undoMismatch(address), {
      tone: 'success',
      text: t('The mark on {person} is removed', { person }),
    });
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isBusy}
      initialFocus={notNow}
      title={
        trust === 'key_changed'
          ? t('The key of {person} has changed', { person })
          : t('Verify {person}', { person })
      }
      footer={
        <>
          {hasKeys && (
            <Button variant="quietDanger" className="me-auto" disabled={isBusy} onClick={mismatch}>
              {t('They do not match')}
            </Button>
          )}
          <Button ref={notNow} variant="outline" disabled={isBusy} onClick={onClose}>
            {t('Not now')}
          </Button>
          {hasKeys && (
            <Button busy={isBusy} onClick={() => verify('compared')}>
              {t('They match, mark as verified')}
            </Button>
          )}
        </>
      }
    >
      {error !== null ? (
        <ErrorState
          title={t('Key could not be loaded')}
          text={callErrorText(error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <div className="flex flex-col gap-4">
          {trust === 'mismatch' && mismatchAt !== null && (
            <Mismatched person={person} at={mismatchAt} onUndo={() => setAsksUndo(true)} />
          )}
          {trust === 'key_changed' && (
            <ChangedKey person={person} hasKeys={hasKeys} onAccept={() => setAsksAccept(true)} />
          )}
          {trust === 'verified' && (
            <Banner tone="secure" icon={<ShieldCheck size={17} />}>
              {t('{person} is verified already. You can compare again.', { person })}
            </Banner>
          )}
          {trust === 'plain' && (
            <p className="text-ink-2">
              {t('{person} has no key here: mail to them is not encrypted end to end.', { person })}
            </p>
          )}
          {(data === undefined || hasKeys) && (
            <>
              <p className="text-ink-2">
                {t(
                  'Compare these numbers with {person} over a call or in person. Both screens show the same numbers only if nobody sits between you.',
                  { person },
                )}
              </p>
              <SafetyNumber number={data?.number ?? null} />
            </>
          )}
          {data?.number != null && (
            <>
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="outline"
                  size="sm"
                  aria-expanded={isScanning}
                  onClick={() => setScanning(shown => !shown)}
                >
                  <ScanQrCode size={16} />
                  {t('Scan their code')}
                </Button>
                <CopyNumbers number={data.number} />
              </div>
              {isScanning && <ScanPanel number={data.number} onMatch={verify} onMismatch={mismatch} />}
              <details className="text-control text-ink-2">
                <summary className="w-fit cursor-default font-medium">{t('Technical fingerprint')}</summary>
                <p dir="ltr" className="mt-1 font-mono text-meta break-all">
                  {'plaintext' in data.known ? '' : data.known.fingerprint}
                </p>
              </details>
            </>
          )}
        </div>
      )}
      <AlertDialog
        open={asksAccept}
        title={hasKeys ? t('Accept the new key?') : t('Send without encryption?')}
        confirmLabel={hasKeys ? t('Accept new key') : t('Send without encryption')}
        cancelLabel={t('Cancel')}
        busy={isBusy}
        onConfirm={accept}
        onCancel={() => setAsksAccept(false)}
      >
        {hasKeys
          ? t(
              'You have not compared it. If it is not theirs, somebody else reads what you send to {person}.',
              {
                person,
              },
            )
          : t('{person} had a key before. Without one the server reads what you send.', { person })}
      </AlertDialog>
      <AlertDialog
        open={asksUndo}
        title={t('Remove the mark?')}
        confirmLabel={t('Remove mark')}
        cancelLabel={t('Cancel')}
        busy={isBusy}
        onConfirm={undo}
        onCancel={() => setAsksUndo(false)}
      >
        {t(
          'Remove it only if you marked {person} by mistake. If the numbers really differ, someone else may read what you send.',
          { person },
        )}
      </AlertDialog>
    </Dialog>
  );
}

function Mismatched({ person, at, onUndo }: { person: string; at: number; onUndo: () => void }) {
  return (
    <Banner
      tone="danger"
      role="alert"
      icon={<ShieldAlert size={17} />}
      title={t('The safety number of {person} does not match', { person })}
      below={
        <Button variant="inheritOutline" size="xs" onClick={onUndo}>
          {t('Remove mark')}
        </Button>
      }
    >
      {t(
        'You marked it on {date}. Someone may be reading along, so sending is blocked. To undo it, compare again and mark {person} as verified, or remove the mark.',
        { person, date: formatDay(new Date(at)) },
      )}
    </Banner>
  );
}

function ChangedKey(props: { person: string; hasKeys: boolean; onAccept: () => void }) {
  const { person, hasKeys, onAccept } = props;
  return (
    <Banner
      tone="danger"
      role="alert"
      icon={<ShieldAlert size={17} />}
      below={
        <Button variant="inheritOutline" size="xs" onClick={onAccept}>
          {hasKeys ? t('Accept new key') : t('Send without encryption')}
        </Button>
      }
    >
      {hasKeys
        ? t(
            'This happens after a new start, or when somebody pretends to be {person}. Compare the numbers before you send anything.',
            { person },
          )
        : t('The server says that {person} has no key any more. Ask them before you send anything.', {
            person,
          })}
    </Banner>
  );
}

function CopyNumbers({ number }: { number: string }) {
  const copy = () => {
    navigator.clipboard?.writeText(number).then(
      () => showToast({ tone: 'success', text: t('Copied') }),
      () => showToast({ tone: 'danger', text: t('Something failed') }),
    );
  };
  return (
    <Button variant="outline" size="sm" onClick={copy}>
      <Copy size={16} />
      {t('Copy numbers')}
    </Button>
  );
}
