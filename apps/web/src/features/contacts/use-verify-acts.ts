// Actions of the key comparison dialog, one at a time; two of them need a confirmation.
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import type { VerificationMethod } from '../../session/trust/pins.ts';
import type { KnownKeys } from '../../session/trust/recipient-keys.ts';
import { ACTION_TOAST_MS } from '../../timing.ts';
import type { ToastInput } from '../../ui/toast-store.ts';
import { showToast } from '../../ui/toasts.ts';
import { acceptNew, keepMismatch, markVerified, undoMismatch } from './changes.ts';

type VerifyNeeds = {
  address: string;
  name: string;
  /** The displayed name. */
  person: string;
  /** The directory's keys, once loaded. */
  known: KnownKeys | undefined;
  onClose: () => void;
};

/** Names what was accepted: the new keys, or that there are none and messages are not encrypted. */
export const acceptedText = (person: string, known: KnownKeys): string =>
  'plaintext' in known
    ? t('Messages to {person} will be sent without encryption', { person })
    : t('Accepted new key for {person}', { person });

/** Returns the actions and their state; each closes the dialog once it is done. */
export function useVerifyActs({ address, name, person, known, onClose }: VerifyNeeds) {
  const [asked, setAsked] = useState<'accept' | 'undo' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>, done: ToastInput) => {
    setBusy(true);
    try {
      await work();
      showToast(done);
      onClose();
    } catch (failure) {
      showToast({ tone: 'danger', text: callErrorText(failure) });
      setBusy(false);
      setAsked(null);
    }
  };
  const verify = (how: VerificationMethod) => {
    if (known !== undefined)
      void run(() => markVerified(address, name, known, how), {
        tone: 'success',
        text: t('{person} is verified', { person }),
      });
  };
  const accept = () => {
    if (known !== undefined)
      void run(() => acceptNew(address, known), {
        tone: 'success',
        text: acceptedText(person, known),
      });
  };
  const mismatch = () => {
    if (known !== undefined)
      void run(() => keepMismatch(address, name, known), {
        tone: 'danger',
        text: t(
          'Mismatch reported. Sending to {person} is blocked. To undo this, choose Review in Contacts.',
          { person },
        ),
        durationMs: ACTION_TOAST_MS,
      });
  };
  const undo = () =>
    void run(() => undoMismatch(address), {
      tone: 'success',
      text: t('Cleared mismatch for {person}', { person }),
    });
  return { isBusy, asked, setAsked, verify, accept, mismatch, undo };
}

export type VerifyActs = ReturnType<typeof useVerifyActs>;
