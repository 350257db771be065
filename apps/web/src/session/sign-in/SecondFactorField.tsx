// The second factor once more, in forms that ask for the password: a code, or a key that answers before the form is sent.
// Nothing at all for who has none, which is asked when the form opens.
import { CallError } from '@keyfold/contract/client';
import { Check, KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { secondFactorClient } from '../calls/clients/second-factor.ts';
import { callErrorText } from '../calls/error-text.ts';
import { useUser } from '../state/current-user.ts';
import { answerWithKey, type FactorProof, keyErrorText, keysRefusal } from '../trust/factor-proof.ts';
import { readFactorStatus } from './factor-status.ts';

const refusals: ReadonlySet<string> = new Set(['code_wrong', 'passkey_wrong', 'second_factor_needed']);

/** Whether a call was refused for its second factor alone. */
export const isFactorRefusal = (error: unknown): boolean =>
  error instanceof CallError && refusals.has(error.code);

/** What a form has of the second factor. `isReady` is true also where none is on. */
export function useFactorProof() {
  const user = useUser();
  const [code, setCode] = useState('');
  const [passkey, setPasskey] = useState<FactorProof>();
  const hasTotp = user?.totp_active ?? false;
  const hasKeys = (user?.passkeys ?? 0) > 0;
  const typed = code.trim();
  const proof: FactorProof | Record<string, never> = passkey ?? (typed === '' ? {} : { totp_code: typed });
  const isOn = hasTotp || hasKeys;
  return {
    code,
    setCode,
    hasTotp,
    hasKeys,
    hasAnswer: passkey !== undefined,
    setPasskey,
    isOn,
    isReady: !isOn || passkey !== undefined || typed.length >= 6,
    proof,
    /** A proof is good once: after a call there is none. */
    clear: () => {
      setCode('');
      setPasskey(undefined);
    },
  };
}

type SecondFactorFieldProps = {
  factor: ReturnType<typeof useFactorProof>;
  /** Why the last call was refused, if it was refused for this. */
  error?: unknown;
};

/** The field, with the button for a key where there is one. */
export function SecondFactorField({ factor, error }: SecondFactorFieldProps) {
  const [isAsking, setAsking] = useState(false);
  const [keyError, setKeyError] = useState<string>();
  // Asked when the form opens, and again when the server wants what this page knows nothing of.
  const isNews = !factor.isOn && isFactorRefusal(error);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal asks once more
  useEffect(() => {
    void readFactorStatus().catch(() => undefined);
  }, [isNews]);
  if (!factor.isOn) return null;
  const ask = async () => {
    if (isAsking) return;
    setAsking(true);
    setKeyError(undefined);
    try {
      const { data } = await secondFactorClient.challenge({});
      factor.setPasskey({ passkey: await answerWithKey(data) });
    } catch (cause) {
      setKeyError(keyErrorText(cause));
    } finally {
      setAsking(false);
    }
  };
  if (factor.hasAnswer) {
    return (
      <p role="status" className="flex items-center gap-2 text-control font-medium text-success">
        <Check aria-hidden size={16} />
        {t('Your key has answered')}
      </p>
    );
  }
  const refusal = isFactorRefusal(error) ? callErrorText(error) : undefined;
  const noKeys = factor.hasKeys ? keysRefusal() : undefined;
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={factor.hasTotp ? t('Code of your second factor') : t('Recovery code')}
        dir="ltr"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        value={factor.code}
        onChange={factor.setCode}
        hint={
          factor.hasTotp
            ? t('Six digits of your authenticator app, or a recovery code')
            : (noKeys ?? t('Or use your key instead'))
        }
        error={keyError ?? refusal}
      />
      {factor.hasKeys && noKeys === undefined && (
        <Button variant="outline" size="sm" className="self-start" busy={isAsking} onClick={() => void ask()}>
          {!isAsking && <KeyRound size={15} />}
          {isAsking ? t('Waiting for your key') : t('Use a passkey or security key')}
        </Button>
      )}
    </div>
  );
}
