// Compares the user's view of a contact's keys with the contact's own, and decides about a changed
// key (docs/interface.md#verifying-people). The numbers and the code match on both screens only if
// there is no man in the middle. The initial focus is on the answer that changes nothing.
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useRef } from 'react';
import { keys as keyWorker } from '../../crypto/key-client.ts';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { useAddressBook } from '../../session/trust/address-book.ts';
import { emptyBook, findMismatch, findPerson } from '../../session/trust/pins.ts';
import { findKeys, forgetKeys, type KnownKeys, trustOf } from '../../session/trust/recipient-keys.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SafetyNumber } from './SafetyNumber.tsx';
import { useVerifyActs } from './use-verify-acts.ts';
import { ChangedKey, Mismatched, Numbers, Questions } from './VerifyParts.tsx';

export type VerifyDialogProps = {
  address: string;
  name: string;
  onClose: () => void;
};

type Seen = { readonly known: KnownKeys; readonly number: string | null };

/** Fetches the current state of the directory, bypassing earlier look-ups. */
async function look(address: string): Promise<Seen> {
  forgetKeys([address]);
  const [known] = await findKeys([address]);
  if (known === undefined) throw new Error(t('Couldn’t load the key'));
  return { known, number: 'plaintext' in known ? null : await keyWorker().safetyNumberWith(known) };
}

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
  const trust = data === undefined ? null : trustOf(address, data.known);
  const hasKeys = data?.number != null;
  const mismatchAt = findMismatch(book, address);
  const acts = useVerifyActs({ address, name, person, known: data?.known, onClose });
  const { isBusy, setAsked } = acts;
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isBusy}
      initialFocus={notNow}
      title={
        trust === 'key_changed'
          ? t('The key for {person} has changed', { person })
          : t('Verify {person}', { person })
      }
      footer={
        <>
          {hasKeys && (
            <Button variant="quietDanger" className="me-auto" disabled={isBusy} onClick={acts.mismatch}>
              {t('They don’t match')}
            </Button>
          )}
          <Button ref={notNow} variant="outline" disabled={isBusy} onClick={onClose}>
            {t('Not now')}
          </Button>
          {hasKeys && (
            <Button busy={isBusy} onClick={() => acts.verify('compared')}>
              {t('They match')}
            </Button>
          )}
        </>
      }
    >
      {error !== null ? (
        <ErrorState
          title={t('Couldn’t load the key')}
          text={callErrorText(error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <div className="flex flex-col gap-4">
          {trust === 'mismatch' && mismatchAt !== null && (
            <Mismatched person={person} at={mismatchAt} onUndo={() => setAsked('undo')} />
          )}
          {trust === 'key_changed' && (
            <ChangedKey person={person} hasKeys={hasKeys} onAccept={() => setAsked('accept')} />
          )}
          {trust === 'verified' && (
            <Banner tone="secure" icon={<ShieldCheck size={17} />}>
              {t('{person} is already verified. You can compare again.', { person })}
            </Banner>
          )}
          {trust === 'plain' && (
            <p className="text-ink-2">
              {t('{person} has no encryption key, so messages to them aren’t end-to-end encrypted.', {
                person,
              })}
            </p>
          )}
          {(data === undefined || hasKeys) && (
            <>
              <p className="text-ink-2">
                {t(
                  'Compare these numbers with {person} on a call or in person. If both screens show the same numbers, you have each other’s real keys.',
                  { person },
                )}
              </p>
              <SafetyNumber number={data?.number ?? null} />
            </>
          )}
          {data?.number != null && (
            <Numbers
              number={data.number}
              known={data.known}
              onMatch={acts.verify}
              onMismatch={acts.mismatch}
            />
          )}
        </div>
      )}
      <Questions person={person} hasKeys={hasKeys} acts={acts} />
    </Dialog>
  );
}
