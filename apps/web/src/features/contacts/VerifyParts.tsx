// Parts of the key comparison dialog: warnings about the keys, the number with the ways to compare
// it, and the two confirmations before something is revoked.
import { Copy, ScanQrCode, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import type { VerificationMethod } from '../../session/trust/pins.ts';
import type { KnownKeys } from '../../session/trust/recipient-keys.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toasts.ts';
import { ScanPanel } from './ScanPanel.tsx';
import type { VerifyActs } from './use-verify-acts.ts';

/** Shown for a contact with a safety number that did not match. */
export function Mismatched({ person, at, onUndo }: { person: string; at: number; onUndo: () => void }) {
  return (
    <Banner
      tone="danger"
      role="alert"
      icon={<ShieldAlert size={17} />}
      title={t('The safety number for {person} doesn’t match', { person })}
      below={
        <Button variant="inheritOutline" size="xs" onClick={onUndo}>
          {t('Clear mismatch')}
        </Button>
      }
    >
      {t(
        'You reported this on {date}. Someone may be reading your messages. Sending is blocked. To undo this, compare again and verify {person}, or clear the mismatch.',
        { person, date: formatDay(new Date(at)) },
      )}
    </Banner>
  );
}

/** Shown for a contact with a changed key, or with none any more. */
export function ChangedKey(props: { person: string; hasKeys: boolean; onAccept: () => void }) {
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
            '{person} may have new keys, or someone may be impersonating them. Compare the numbers before you send anything.',
            { person },
          )
        : t(
            'According to the server, {person} no longer has a key. Check with them before you send anything.',
            {
              person,
            },
          )}
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

type NumbersProps = {
  number: string;
  known: KnownKeys;
  onMatch: (how: VerificationMethod) => void;
  onMismatch: () => void;
};

/** The ways to compare besides reading aloud. */
export function Numbers({ number, known, onMatch, onMismatch }: NumbersProps) {
  const [isScanning, setScanning] = useState(false);
  return (
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
        <CopyNumbers number={number} />
      </div>
      {isScanning && <ScanPanel number={number} onMatch={onMatch} onMismatch={onMismatch} />}
      <details className="text-control text-ink-2">
        <summary className="w-fit cursor-default font-medium">{t('Key fingerprint')}</summary>
        <p dir="ltr" className="mt-1 w-fit font-mono text-meta break-all">
          {'plaintext' in known ? '' : known.fingerprint}
        </p>
      </details>
    </>
  );
}

/** Asks for confirmation before a new key is accepted, and before a verification is removed. */
export function Questions({ person, hasKeys, acts }: { person: string; hasKeys: boolean; acts: VerifyActs }) {
  return (
    <>
      <AlertDialog
        open={acts.asked === 'accept'}
        title={hasKeys ? t('Accept the new key?') : t('Send without encryption?')}
        confirmLabel={hasKeys ? t('Accept new key') : t('Send without encryption')}
        cancelLabel={t('Cancel')}
        busy={acts.isBusy}
        onConfirm={acts.accept}
        onCancel={() => acts.setAsked(null)}
      >
        {hasKeys
          ? t(
              'You haven’t compared this key. If it isn’t theirs, someone else can read what you send to {person}.',
              {
                person,
              },
            )
          : t('{person} had a key before. Without one, the server can read what you send.', { person })}
      </AlertDialog>
      <AlertDialog
        open={acts.asked === 'undo'}
        title={t('Clear the mismatch?')}
        confirmLabel={t('Clear mismatch')}
        cancelLabel={t('Cancel')}
        busy={acts.isBusy}
        onConfirm={acts.undo}
        onCancel={() => acts.setAsked(null)}
      >
        {t(
          'Clear it only if you reported {person} by mistake. If the numbers really differ, someone else may be able to read what you send.',
          { person },
        )}
      </AlertDialog>
    </>
  );
}
