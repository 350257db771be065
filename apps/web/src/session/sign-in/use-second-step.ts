// State of the second step: the chosen method, the code, the error, the waiting time, and the
// submission of a proof.
import { CallError } from '@keyfold/contract/client';
import type { FactorKind } from '@keyfold/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { COUNTDOWN_MS } from '../../timing.ts';
import { callErrorText } from '../calls/error-text.ts';
import { answerWithKey, type FactorProof, keyErrorText, keysRefusal } from '../trust/factor-proof.ts';
import type { SecondStepFormProps } from './SecondStepForm.tsx';

const wrongAnswers: ReadonlySet<string> = new Set([
  'code_refused',
  'code_wrong',
  'passkey_refused',
  'passkey_wrong',
]);

/** Seconds above which a wait is displayed in minutes. */
const LONG_WAIT_SECONDS = 120;

const textOfWait = (seconds: number): string =>
  seconds > LONG_WAIT_SECONDS
    ? t(
        '{count, plural, one {Too many attempts. Try again in # minute.} other {Too many attempts. Try again in # minutes.}}',
        {
          count: Math.ceil(seconds / 60),
        },
      )
    : t(
        '{count, plural, one {Too many attempts. Try again in # second.} other {Too many attempts. Try again in # seconds.}}',
        {
          count: seconds,
        },
      );

/** Returns the remaining seconds of a countdown, live. */
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

/** Returns the state and its handlers. */
export function useSecondStep(props: SecondStepFormProps) {
  const { factors, challenge, prove, tries = Number.POSITIVE_INFINITY, onGone } = props;
  const noKeys = factors.includes('passkey') ? keysRefusal() : undefined;
  const [mode, setMode] = useState(() => startingMode(factors, noKeys === undefined));
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [wrong, setWrong] = useState(0);
  const [waitSeconds, startWait] = useCountdown();
  // Wrong codes from the authenticator app delay further codes. Security keys and recovery codes
  // are not delayed and still sign the user in.
  const [waitsFor, setWaitsFor] = useState<FactorKind>();
  const isUnderWay = useRef(false);
  /** A wrong code from the app: pressing Enter again out of habit would cost another attempt. */
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
    // After this many wrong answers the server requires the password again; the user should not
    // need another attempt to find out.
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
        ? t('{what}. {more}', {
            what: callErrorText(cause),
            more: t('{count, plural, one {# attempt left} other {# attempts left}}', { count: left }),
          })
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
  return {
    /** Why security keys are unavailable here. */
    noKeys,
    mode,
    change,
    code,
    setCode,
    isBusy,
    isWaiting,
    waitText: isWaiting ? textOfWait(waitSeconds) : undefined,
    error,
    field,
    form,
    sendCode,
    sendKey,
    isRefused: (typed: string) => typed === refused.current,
  };
}
