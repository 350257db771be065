// The second step, wherever it is asked for before one is in: a code of the authenticator app, a key, or a recovery code.
// Draws, counts down and reports; what a proof leads to is said by whoever mounts it. docs/spec-map.md 4.14;
// docs/interpretations.md#29; docs/interface.md#states.
import { CallError } from '@keyfold/contract/client';
import type { FactorKind } from '@keyfold/contract/limits';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { COUNTDOWN_MS } from '../../timing.ts';
import { Button } from '../../ui/Button.tsx';
import { OtpField } from '../../ui/OtpField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { callErrorText } from '../calls/error-text.ts';
import { answerWithKey, type FactorProof, keyErrorText, keysRefusal } from '../trust/factor-proof.ts';

type SecondStepFormProps = {
  factors: readonly FactorKind[];
  /** What a key is asked to sign. */
  challenge: () => Promise<Readonly<Record<string, unknown>>>;
  /** Does what the proof is for; rejects when it is wrong. */
  prove: (proof: FactorProof) => Promise<void>;
  /** Wrong answers that end the half-done sign-in; without it there is none, and one may go on trying. */
  tries?: number;
  /** The half-done sign-in is over: the first step is needed again, for this reason. */
  onGone: (reason: string) => void;
  onBack: () => void;
  backLabel: string;
};

const CODE_LENGTH = 6;
const wrongAnswers: ReadonlySet<string> = new Set([
  'code_refused',
  'code_wrong',
  'passkey_refused',
  'passkey_wrong',
]);

/** Seconds above which a wait is told in minutes. */
const LONG_WAIT_SECONDS = 120;

const textOfWait = (seconds: number): string =>
  seconds > LONG_WAIT_SECONDS
    ? t('{count, plural, one {Too many tries. Wait # minute.} other {Too many tries. Wait # minutes.}}', {
        count: Math.ceil(seconds / 60),
      })
    : t('{count, plural, one {Too many tries. Wait # second.} other {Too many tries. Wait # seconds.}}', {
        count: seconds,
      });

/** Seconds until a time, live. */
function useCountdown(): readonly [number, (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (endsAt <= Date.now()) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= endsAt) clearInterval(timer);
    }, COUNTDOWN_MS);
    return () => clearInterval(timer);
  }, [endsAt]);
  const left = Math.max(0, Math.ceil((endsAt - Math.max(now, 0)) / 1_000));
  const start = (seconds: number) => {
    setNow(Date.now());
    setEndsAt(Date.now() + seconds * 1_000);
  };
  return [endsAt === 0 ? 0 : left, start];
}

function startingMode(factors: readonly FactorKind[], canUseKeys: boolean): FactorKind {
  if (factors.includes('totp')) return 'totp';
  if (factors.includes('passkey') && (canUseKeys || !factors.includes('recovery_code'))) return 'passkey';
  return 'recovery_code';
}

/** The form; the words above it are the page's. */
export function SecondStepForm(props: SecondStepFormProps) {
  const { factors, challenge, prove, tries = Number.POSITIVE_INFINITY, onGone, onBack, backLabel } = props;
  const noKeys = factors.includes('passkey') ? keysRefusal() : undefined;
  const [mode, setMode] = useState(() => startingMode(factors, noKeys === undefined));
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [wrong, setWrong] = useState(0);
  const [waitSeconds, startWait] = useCountdown();
  // Codes of the app wait after wrong ones; keys and recovery codes do not, and let their owner in meanwhile.
  const [waitsFor, setWaitsFor] = useState<FactorKind>();
  const isUnderWay = useRef(false);
  /** A code of the app that was wrong: sent again by Enter out of habit, it would cost another try. */
  const refused = useRef('');
  const field = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isWaiting = waitSeconds > 0 && waitsFor === mode;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field of another way is another one
  useEffect(() => {
    if (isBusy || isWaiting) return;
    const input = field.current ?? form.current?.querySelector<HTMLElement>('input, button');
    input?.focus();
    if (error !== undefined) form.current?.querySelector('input')?.select();
  }, [error, mode, isBusy, isWaiting]);
  const isSpent = wrong >= tries && !isWaiting;
  useEffect(() => {
    // After so many wrong answers the server wants the password again; nobody is to find out by one more try.
    if (isSpent) onGone(t('Session expired. Please login again.'));
  }, [isSpent, onGone]);

  const fail = (cause: unknown) => {
    const known = cause instanceof CallError ? cause.code : '';
    if (known === 'mfa_expired') return onGone(callErrorText(cause));
    const isWrong = wrongAnswers.has(known);
    if (isWrong || known === 'rate_limited') setWrong(wrong + 1);
    if (!isWrong) refused.current = '';
    if (cause instanceof CallError && cause.status === 429) {
      setWaitsFor(mode);
      startWait(cause.retryAfterSeconds ?? 0);
      return;
    }
    const left = tries - wrong - 1;
    setError(
      isWrong && left > 0 && Number.isFinite(left)
        ? `${callErrorText(cause)}. ${t('{count, plural, one {# try left} other {# tries left}}', { count: left })}`
        : keyErrorText(cause),
    );
  };
  const run = async (work: () => Promise<FactorProof>) => {
    if (isUnderWay.current || isWaiting) return;
    isUnderWay.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await prove(await work());
    } catch (cause) {
      fail(cause);
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  const sendCode = (typed: string) => {
    refused.current = mode === 'totp' ? typed : '';
    void run(async () => ({ totp_code: typed.trim() }));
  };
  const sendKey = () => void run(async () => ({ passkey: await answerWithKey(await challenge()) }));
  const change = (next: FactorKind) => {
    setMode(next);
    setCode('');
    setError(undefined);
  };
  const waitText = isWaiting ? textOfWait(waitSeconds) : undefined;
  const isComplete = mode === 'totp' ? code.length === CODE_LENGTH : code.trim().length > CODE_LENGTH;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (mode === 'passkey') sendKey();
        else if (isComplete && code !== refused.current) sendCode(code);
      }}
      className="flex flex-col gap-4"
    >
      {noKeys !== undefined && <p className="text-ink-2">{noKeys}</p>}
      {mode === 'totp' && (
        <OtpField
          inputRef={field}
          label={t('Code from your authenticator')}
          value={code}
          onChange={setCode}
          onComplete={sendCode}
          disabled={isBusy || isWaiting}
          error={waitText ?? error}
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
          onChange={setCode}
          disabled={isBusy || isWaiting}
          hint={t('One of the ten that you kept. It is good once.')}
          error={waitText ?? error}
        />
      )}
      {mode === 'passkey' && noKeys === undefined && (
        <p className="text-ink-2">
          {t('Your browser asks for your passkey or security key. Touch it, or confirm on your device.')}
        </p>
      )}
      {mode === 'passkey' && (waitText ?? error) !== undefined && (
        <p role="alert" className="text-control text-danger">
          {waitText ?? error}
        </p>
      )}
      {(mode !== 'passkey' || noKeys === undefined) && (
        <Button type="submit" size="lg" full busy={isBusy} disabled={isWaiting}>
          {mode === 'passkey' && !isBusy && <KeyRound size={18} />}
          {mode === 'passkey'
            ? isBusy
              ? t('Waiting for your key')
              : t('Use your key')
            : isBusy
              ? t('Checking the code')
              : t('Continue')}
        </Button>
      )}
      {mode !== 'passkey' && factors.includes('passkey') && noKeys === undefined && (
        <Button variant="outline" size="lg" full disabled={isBusy} onClick={() => change('passkey')}>
          <KeyRound size={18} />
          {t('Use a passkey or security key')}
        </Button>
      )}
      {mode !== 'totp' && factors.includes('totp') && (
        <Button variant="outline" size="lg" full disabled={isBusy} onClick={() => change('totp')}>
          {t('Use your authenticator app')}
        </Button>
      )}
      {mode !== 'recovery_code' && factors.includes('recovery_code') && (
        <Button variant="quiet" disabled={isBusy} onClick={() => change('recovery_code')}>
          {t('Use a recovery code')}
        </Button>
      )}
      <Button variant="quiet" disabled={isBusy} onClick={onBack}>
        {backLabel}
      </Button>
    </form>
  );
}
