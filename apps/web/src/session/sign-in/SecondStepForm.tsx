// The second step wherever it is required before sign-in completes: a code from the authenticator
// app, a security key, or a recovery code. Renders, counts down and reports; the parent decides
// what a proof leads to. docs/spec-map.md 4.14; docs/interpretations.md#29;
// docs/interface.md#states.
import type { FactorKind } from '@keyfold/contract/limits';
import { KeyRound } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { Button } from '../../ui/Button.tsx';
import { OtpField } from '../../ui/OtpField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { FactorProof } from '../trust/factor-proof.ts';
import { useSecondStep } from './use-second-step.ts';

export type SecondStepFormProps = {
  factors: readonly FactorKind[];
  /** Returns the challenge for a security key. */
  challenge: () => Promise<Readonly<Record<string, unknown>>>;
  /** Submits the proof; rejects when it is wrong. */
  prove: (proof: FactorProof) => Promise<void>;
  /**
   * Number of wrong answers that end the MFA-pending sign-in; omitted if there is none, which
   * allows unlimited attempts.
   */
  tries?: number;
  /** The MFA-pending sign-in has ended: the first step is required again, for this reason. */
  onGone: (reason: string) => void;
  onBack: () => void;
  backLabel: string;
};

const CODE_LENGTH = 6;
type OtherWaysProps = {
  factors: readonly FactorKind[];
  mode: FactorKind;
  canUseKeys: boolean;
  isBusy: boolean;
  onChange: (mode: FactorKind) => void;
};

function OtherWays({ factors, mode, canUseKeys, isBusy, onChange }: OtherWaysProps) {
  return (
    <>
      {mode !== 'passkey' && canUseKeys && (
        <Button variant="outline" size="lg" full disabled={isBusy} onClick={() => onChange('passkey')}>
          <KeyRound size={18} />
          {t('Use a passkey or security key')}
        </Button>
      )}
      {mode !== 'totp' && factors.includes('totp') && (
        <Button variant="outline" size="lg" full disabled={isBusy} onClick={() => onChange('totp')}>
          {t('Use your authenticator app')}
        </Button>
      )}
      {mode !== 'recovery_code' && factors.includes('recovery_code') && (
        <Button variant="quiet" disabled={isBusy} onClick={() => onChange('recovery_code')}>
          {t('Use a recovery code')}
        </Button>
      )}
    </>
  );
}

/** Renders the form; the page provides the text above it. */
export function SecondStepForm(props: SecondStepFormProps) {
  const { factors, onBack, backLabel } = props;
  const step = useSecondStep(props);
  const { noKeys, mode, code, isBusy, isWaiting, change } = step;
  const canUseKeys = factors.includes('passkey') && noKeys === undefined;
  const error = step.waitText ?? step.error;
  const isComplete = mode === 'totp' ? code.length === CODE_LENGTH : code.trim().length > CODE_LENGTH;
  return (
    <form
      ref={step.form}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (mode === 'passkey') step.sendKey();
        else if (isComplete && !step.isRefused(code)) step.sendCode(code);
      }}
      className="flex flex-col gap-4"
    >
      {noKeys !== undefined && <p className="text-ink-2">{noKeys}</p>}
      {mode === 'totp' && (
        <OtpField
          inputRef={step.field}
          label={t('Code from your authenticator app')}
          value={code}
          onChange={step.setCode}
          onComplete={step.sendCode}
          disabled={isBusy || isWaiting}
          error={error}
        />
      )}
      {mode === 'recovery_code' && (
        <TextField
          label={t('Recovery code')}
          mono
          dir="ltr"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          onChange={step.setCode}
          disabled={isBusy || isWaiting}
          hint={t('One of the 10 recovery codes you saved. Each code works once.')}
          error={error}
        />
      )}
      {mode === 'passkey' && noKeys === undefined && (
        <p className="text-ink-2">
          {t('Your browser asks for your passkey or security key. Touch the key or confirm on your device.')}
        </p>
      )}
      {mode === 'passkey' && error !== undefined && (
        <p role="alert" className="text-control text-danger">
          {error}
        </p>
      )}
      {(mode !== 'passkey' || noKeys === undefined) && (
        <Button type="submit" size="lg" full busy={isBusy} disabled={isWaiting}>
          {mode === 'passkey' && !isBusy && <KeyRound size={18} />}
          {mode === 'passkey'
            ? isBusy
              ? t('Waiting for your key…')
              : t('Use your key')
            : isBusy
              ? t('Checking the code…')
              : t('Continue')}
        </Button>
      )}
      <OtherWays factors={factors} mode={mode} canUseKeys={canUseKeys} isBusy={isBusy} onChange={change} />
      <Button variant="quiet" disabled={isBusy} onClick={onBack}>
        {backLabel}
      </Button>
    </form>
  );
}
