// What the dialog that compares keys does with an answer, one at a time; two of them are asked about first.
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import type { Mark } from '../../session/trust/pins.ts';
import type { KnownKeys } from '../../session/trust/recipient-keys.ts';
import { ACTION_TOAST_MS } from '../../timing.ts';
import type { ToastInput } from '../../ui/toast-store.ts';
import { showToast } from '../../ui/toasts.ts';
import { acceptNew, keepMismatch, markVerified, undoMismatch } from './changes.ts';

type VerifyNeeds = {
  address: string;
  name: string;
  /** The name that is shown. */
  person: string;
  /** What the directory says, once it has. */
  known: KnownKeys | undefined;
  onClose: () => void;
};

/** The acts and their state; each closes the dialog once it is done. */
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
  const verify = (how: Mark) => {
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
        text: t('The new key of {person} is accepted', { person }),
      });
  };
  const mismatch = () => {
    if (known !== undefined)
      void run(() => keepMismatch(address, name, known), {
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
  return { isBusy, asked, setAsked, verify, accept, mismatch, undo };
}

export type VerifyActs = ReturnType<typeof useVerifyActs>;
