// Parts of the dialog that compares keys: what was noticed of them, the numbers with the ways to compare them, and the two
// questions before something is taken back.
import { Copy, ScanQrCode, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import type { Mark } from '../../session/trust/pins.ts';
import type { KnownKeys } from '../../session/trust/recipient-keys.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toasts.ts';
import { ScanPanel } from './ScanPanel.tsx';
import type { VerifyActs } from './use-verify-acts.ts';

/** Somebody whose number did not match. */
export function Mismatched({ person, at, onUndo }: { person: string; at: number; onUndo: () => void }) {
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

/** Somebody who has another key, or none any more. */
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

type NumbersProps = {
  number: string;
  known: KnownKeys;
  onMatch: (how: Mark) => void;
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
        <summary className="w-fit cursor-default font-medium">{t('Technical fingerprint')}</summary>
        <p dir="ltr" className="mt-1 font-mono text-meta break-all">
          {'plaintext' in known ? '' : known.fingerprint}
        </p>
      </details>
    </>
  );
}

/** Asks before a new key is accepted, and before a mark is removed. */
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
              'You have not compared it. If it is not theirs, somebody else reads what you send to {person}.',
              {
                person,
              },
            )
          : t('{person} had a key before. Without one the server reads what you send.', { person })}
      </AlertDialog>
      <AlertDialog
        open={acts.asked === 'undo'}
        title={t('Remove the mark?')}
        confirmLabel={t('Remove mark')}
        cancelLabel={t('Cancel')}
        busy={acts.isBusy}
        onConfirm={acts.undo}
        onCancel={() => acts.setAsked(null)}
      >
        {t(
          'Remove it only if you marked {person} by mistake. If the numbers really differ, someone else may read what you send.',
          { person },
        )}
      </AlertDialog>
    </>
  );
}
