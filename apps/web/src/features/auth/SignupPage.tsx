// Connected sign-up page: the proof of work runs while the user fills in the form, keys are
// generated in the worker, and the account is requested last. A refusal returns to the form with
// all input preserved (docs/interface.md#states).
import { CallError } from '@keyfold/contract/client';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import type { KeyStep } from '../../crypto/keys/account-keys.ts';
import { solveCaptcha } from '../../crypto/keys/captcha-client.ts';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { inboxPath, signinPath } from '../../paths.ts';
import { signUpClient } from '../../session/calls/clients/sign-up.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { enterSession } from '../../session/entry.ts';
import { lookAtInvitation } from '../../session/sign-in/joining.ts';
import { isEntering, isKnownHere } from '../../session/sign-in/known-here.ts';
import { secretOfLink } from '../../session/sign-in/link-secrets.ts';
import { signUp } from '../../session/sign-in/signup.ts';
import { useSessionStatus } from '../../session/state/session-state.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { KeyProgress } from './KeyProgress.tsx';
import { LinkRefused } from './LinkRefused.tsx';
import { SignupScreen } from './SignupScreen.tsx';
import { codeOfLink, type SignupErrors, type SignupValues } from './signup-rules.ts';
import { useAvailability } from './use-availability.ts';

const KitStep = lazy(async () => ({
  default: (await loadChunk('kit', () => import('./KitStep.tsx'))).KitStep,
}));

const JoinOrganization = lazy(async () => ({
  default: (await loadChunk('join', () => import('./JoinOrganization.tsx'))).JoinOrganization,
}));

type CaptchaState = 'working' | 'done' | 'failed';

/**
 * Runs a proof of work from the start; starts a new one after each use, and when one is refused.
 */
function useCaptcha() {
  const [state, setState] = useState<CaptchaState>('working');
  const solution = useRef<Promise<string> | null>(null);
  const begin = useCallback(() => {
    setState('working');
    const work = signUpClient.captcha({}).then(({ data }) => solveCaptcha(data));
    solution.current = work;
    work.then(
      () => setState('done'),
      () => setState('failed'),
    );
  }, []);
  useEffect(() => {
    if (solution.current === null) begin();
  }, [begin]);
  const find = useCallback(() => solution.current ?? Promise.reject(new Error('Something failed')), []);
  const renew = useCallback(
    (refused: Promise<string>) => {
      if (solution.current === refused) begin();
    },
    [begin],
  );
  return { state, begin, solution: find, renew };
}

const stepIndex: Readonly<Record<KeyStep | 'register', number>> = {
  login: 0,
  vault: 0,
  keys: 1,
  lock: 2,
  register: 3,
};

function fieldErrors(error: unknown): SignupErrors {
  if (!(error instanceof CallError)) return {};
  if (error.code === 'address_taken' || error.code === 'username_refused') return { username: error.message };
  if (error.code === 'invitation_needed' || error.code === 'invitation_refused')
    return { affiliateCode: error.message };
  return error.code === 'domain_refused' ? { domain: error.message } : {};
}

/** Makes the browser ask before the page is closed during key generation. */
function useUnloadQuestion(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAsked]);
}

/** `/app/signup`. */
export function SignupPage() {
  usePageTitle(t('Create your account'));
  const status = useSessionStatus();
  const navigate = useNavigate();
  const captcha = useCaptcha();
  const domains = useQuery({
    queryKey: ['domains'],
    queryFn: () => signUpClient.domains({}),
  });
  const [invite] = useState(() => secretOfLink(location, 'invite'));
  const invitation = useQuery({
    queryKey: ['invitation'],
    queryFn: () => lookAtInvitation(invite),
    enabled: invite !== '',
    retry: false,
    // A refetch after the link was used would report it as gone.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { availability, ask } = useAvailability(captcha);
  const [values, setValues] = useState<SignupValues>();
  const [step, setStep] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [hasAccount, setHasAccount] = useState(false);
  const isUnderWay = useRef(false);
  const goOn = useCallback(() => void navigate(inboxPath, { replace: true }), [navigate]);
  useEffect(() => {
    // A signed-in user joins with the existing account, or without an invitation goes to the inbox.
    if (status === 'unknown' && isKnownHere()) enterSession();
  }, [status]);
  useUnloadQuestion(step !== undefined);
  if (hasAccount && values !== undefined) {
    return (
      <Suspense>
        <KitStep password={values.password} onDone={goOn} />
      </Suspense>
    );
  }
  if (status === 'in' && step === undefined && invite === '') return <Navigate to={inboxPath} replace />;
  const submit = async (next: SignupValues) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setValues(next);
    setError(undefined);
    setStep(0);
    try {
      await signUp({ ...next, invite, captcha: captcha.solution() }, key => setStep(stepIndex[key]));
      setHasAccount(true);
    } catch (cause) {
      setError(cause);
      captcha.begin();
    } finally {
      isUnderWay.current = false;
      setStep(undefined);
    }
  };
  if (step !== undefined && values !== undefined) {
    return <KeyProgress current={step} email={`${values.username.trim().toLowerCase()}@${values.domain}`} />;
  }
  if (invite !== '' && invitation.data === undefined) {
    const { error: reason, isFetching, refetch } = invitation;
    return reason === null ? (
      <Spinner size={24} />
    ) : (
      <LinkRefused error={reason} isAsking={isFetching} onRetry={() => void refetch()} />
    );
  }
  const invited = invitation.data;
  if (isEntering(status)) return <Spinner size={24} />;
  if (invited !== undefined && status === 'in')
    return (
      <Suspense>
        <JoinOrganization invite={invite} invitation={invited} />
      </Suspense>
    );
  const problems = invited === undefined ? fieldErrors(error) : {};
  const isGeneral = error !== undefined && Object.keys(problems).length === 0;
  return (
    <SignupScreen
      domains={invited === undefined ? (domains.data?.data ?? []) : [invited.domain]}
      needsInvitation={invited === undefined && (domains.data?.invitation_needed ?? false)}
      {...(invited === undefined ? {} : { organization: invited.organization })}
      initial={values ?? invited ?? { affiliateCode: codeOfLink(location.hash) }}
      availability={availability}
      // Where an invitation is required, the server does not report whether an address is free.
      {...(invited === undefined && domains.data?.invitation_needed === false
        ? { onAddressChange: ask }
        : {})}
      captcha={captcha.state}
      onRetryCaptcha={captcha.begin}
      isBusy={false}
      errors={problems}
      error={isGeneral ? callErrorText(error) : domains.isError ? callErrorText(domains.error) : undefined}
      onSubmit={next => void submit(next)}
      signinPath={signinPath}
    />
  );
}
