// `/app/recover`: regains access with the recovery kit. The words open the keys in this browser,
// which are locked again with a new password; mail is kept, and every session ends. The same text
// for a wrong address and for wrong words (docs/interpretations.md#88).
import { CallError } from '@keyfold/contract/client';
import { findPasswordProblem } from '@keyfold/contract/limits';
import { readRecoveryPhrase } from '@keyfold/crypto/recovery-phrase';
import { type FormEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { t } from '../../lib/language.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { inboxPath, signinPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { type ProvedKit, proveKit, recoverAccount } from '../../session/sign-in/own-account.ts';
import { SecondStepForm } from '../../session/sign-in/SecondStepForm.tsx';
import { askKey } from '../../session/sign-in/second-step.ts';
import type { FactorProof, OwnProof } from '../../session/trust/factor-proof.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { findAddressMistake } from './address-mistake.ts';
import { NewPasswordField } from './NewPasswordField.tsx';

const WORD_COUNT = 24;

/** Returns the address entered at sign-in. */
const emailOf = (state: unknown): string =>
  typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
    ? state.email
    : '';

type FactorStepProps = {
  kit: ProvedKit;
  error: string | undefined;
  isBusy: boolean;
  onProve: (proof: FactorProof) => Promise<void>;
  /** The user has lost the factor, and the kit should turn it off. */
  onLost: () => void;
  onGone: (reason: string) => void;
  onBack: () => void;
};

/** Asks for the second factor, or uses the kit instead. */
function FactorStep({ kit, error, isBusy, onProve, onLost, onGone, onBack }: FactorStepProps) {
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('One more step')}</h1>
      <p className="mb-5 text-ink-2">{t('Use your second factor to continue.')}</p>
      <SecondStepForm
        factors={kit.factors}
        challenge={() => askKey(kit.email)}
        prove={onProve}
        onGone={onGone}
        onBack={onBack}
        backLabel={t('Back to recovery words')}
      />
      <div className="mt-6 rounded-control bg-well p-3 text-control">
        <p className="mb-2 text-ink-2">
          {t(
            'Lost your second factor and your recovery codes? Your recovery kit can turn off two-factor authentication.',
          )}
        </p>
        {error !== undefined && (
          <p role="alert" className="mb-2 text-danger">
            {error}
          </p>
        )}
        <Button variant="outline" size="sm" busy={isBusy} onClick={onLost}>
          {t('Turn off and continue')}
        </Button>
      </div>
    </>
  );
}

type KitFieldsProps = {
  email: string;
  onEmail: (email: string) => void;
  phrase: string;
  onPhrase: (phrase: string) => void;
  isVisited: boolean;
};

function KitFields({ email, onEmail, phrase, onPhrase, isVisited }: KitFieldsProps) {
  const mistake = findAddressMistake(email);
  const words = readRecoveryPhrase(phrase).length;
  return (
    <>
      <TextField
        label={t('Address')}
        name="username"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={onEmail}
        error={isVisited ? mistake : undefined}
      />
      <TextArea
        label={t('24 recovery words')}
        mono
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={phrase}
        onChange={onPhrase}
        hint={t('{count} of 24 words', { count: words })}
        error={isVisited && words !== WORD_COUNT ? t('Enter all 24 words, and nothing else') : undefined}
      />
    </>
  );
}

export function RecoverPage() {
  usePageTitle(t('Use your recovery kit'));
  const navigate = useNavigate();
  const [email, setEmail] = useState(emailOf(useLocation().state));
  const [phrase, setPhrase] = useState('');
  const [password, setPassword] = useState('');
  const [isVisited, setVisited] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [kit, setKit] = useState<ProvedKit>();
  const mistake = findAddressMistake(email);
  const words = readRecoveryPhrase(phrase).length;
  const broken = findPasswordProblem(password);
  const enter = async (proved: ProvedKit, factor: OwnProof | 'lost') => {
    await recoverAccount(proved, password, factor);
    void navigate(inboxPath, { replace: true });
  };
  const loseFactor = async (proved: ProvedKit) => {
    setBusy(true);
    try {
      await enter(proved, 'lost');
    } catch (cause) {
      setError(callErrorText(cause));
      setBusy(false);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setVisited(true);
    setError(undefined);
    if (isBusy || mistake !== undefined || words !== WORD_COUNT || broken !== null) return;
    setBusy(true);
    try {
      const proved = await proveKit(email, phrase);
      if (proved.factors.length === 0) await enter(proved, {});
      else setKit(proved);
      setBusy(false);
    } catch (cause) {
      const isRefused = cause instanceof CallError && cause.code === 'recovery_refused';
      setError(isRefused ? t('These recovery words don’t match this address') : callErrorText(cause));
      setBusy(false);
    }
  };
  if (kit !== undefined)
    return (
      <FactorStep
        kit={kit}
        error={error}
        isBusy={isBusy}
        onProve={proof => enter(kit, proof)}
        onLost={() => void loseFactor(kit)}
        onGone={reason => {
          setKit(undefined);
          setError(reason);
        }}
        onBack={() => setKit(undefined)}
      />
    );
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Use your recovery kit')}</h1>
      <p className="mb-5 text-ink-2">
        {t(
          'Enter your recovery words and choose a new password. Your keys are unlocked in this browser, and you keep your mail.',
        )}
      </p>
      <form noValidate onSubmit={event => void submit(event)} className="flex flex-col gap-4">
        <KitFields
          email={email}
          onEmail={setEmail}
          phrase={phrase}
          onPhrase={setPhrase}
          isVisited={isVisited}
        />
        <NewPasswordField
          value={password}
          onChange={setPassword}
          isVisited={isVisited}
          onVisited={() => setVisited(true)}
        />
        {error !== undefined && (
          <p role="alert" className="text-control text-danger">
            {error}
          </p>
        )}
        <Button type="submit" size="lg" full busy={isBusy}>
          {isBusy ? t('Unlocking your keys…') : t('Set new password')}
        </Button>
      </form>
      <p className="mt-6 text-center text-control">
        <Link alone to={signinPath}>
          {t('Back to sign-in')}
        </Link>
      </p>
    </>
  );
}
