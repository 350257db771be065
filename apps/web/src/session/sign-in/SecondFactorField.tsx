// The second factor in forms that ask for the password: a code, or a security key that answers
// before the form is sent. Renders nothing for users without a second factor, which is checked when
// the form opens.
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

/** Returns whether a call was refused only because of its second factor. */
export const isFactorRefusal = (error: unknown): boolean =>
  error instanceof CallError && refusals.has(error.code);

/** Returns a form's second-factor state. `isReady` is also true when no factor is on. */
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
    /** A proof is single-use, so each call clears it. */
    clear: () => {
      setCode('');
      setPasskey(undefined);
    },
  };
}

type SecondFactorFieldProps = {
  factor: ReturnType<typeof useFactorProof>;
  /** The last call's error, if its second factor was refused. */
  error?: unknown;
};

/** Renders the field, with a button for a security key if there is one. */
export function SecondFactorField({ factor, error }: SecondFactorFieldProps) {
  const [isAsking, setAsking] = useState(false);
  const [keyError, setKeyError] = useState<string>();
  // Checked when the form opens, and again when the server requires a factor unknown to this page.
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
        {t('Key confirmed')}
      </p>
    );
  }
  const refusal = isFactorRefusal(error) ? callErrorText(error) : undefined;
  const noKeys = factor.hasKeys ? keysRefusal() : undefined;
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={factor.hasTotp ? t('Two-factor code') : t('Recovery code')}
        dir="ltr"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        value={factor.code}
        onChange={factor.setCode}
        hint={
          factor.hasTotp
            ? t('6-digit code from your authenticator app, or a recovery code')
            : (noKeys ?? t('Or use your key instead'))
        }
        error={keyError ?? refusal}
      />
      {factor.hasKeys && noKeys === undefined && (
        <Button variant="outline" size="sm" className="self-start" busy={isAsking} onClick={() => void ask()}>
          {!isAsking && <KeyRound size={15} />}
          {isAsking ? t('Waiting for your key…') : t('Use a passkey or security key')}
        </Button>
      )}
    </div>
  );
}
