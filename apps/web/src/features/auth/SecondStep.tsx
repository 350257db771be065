// The second sign-in step: the account requires a code or a security key. Loaded only when needed.
import { type FactorKind, MFA_TRIES } from '@keyfold/contract/limits';
import { LifeBuoy } from 'lucide-react';
import { sentenceGap, t } from '../../lib/language.ts';
import { recoverPath } from '../../paths.ts';
import { SecondStepForm } from '../../session/sign-in/SecondStepForm.tsx';
import { askKey, finishSignin, giveUpSignin, type HalfSignin } from '../../session/sign-in/second-step.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Link } from '../../ui/Link.tsx';

type SecondStepProps = {
  half: HalfSignin;
  factors: readonly FactorKind[];
  /** Returns to the password, with the reason unless the user chose to go back. */
  onBack: (reason?: string) => void;
};

/** The form on the card of the sign-in page. */
export function SecondStep({ half, factors, onBack }: SecondStepProps) {
  const leave = (reason?: string) => {
    void giveUpSignin();
    onBack(reason);
  };
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('One more step')}</h1>
      <p className="mb-5 text-ink-2">{t('Use your second factor to continue.')}</p>
      <SecondStepForm
        factors={factors}
        challenge={() => askKey(half.email)}
        prove={proof => finishSignin(half, proof)}
        tries={MFA_TRIES}
        onGone={leave}
        onBack={() => leave()}
        backLabel={t('Back to sign-in')}
      />
      <div className="mt-6">
        <Banner tone="neutral" icon={<LifeBuoy size={16} />}>
          {t('Forgot your password or lost your second factor?')}
          {sentenceGap()}
          <Link to={recoverPath}>{t('Use your recovery kit')}</Link>
        </Banner>
      </div>
    </>
  );
}
