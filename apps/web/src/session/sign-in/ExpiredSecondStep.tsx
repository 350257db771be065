// The second step over a page whose session expired while the user was writing. Loaded only when
// required.
import { type FactorKind, MFA_TRIES } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { queries } from '../calls/query-client.ts';
import { askAllAgain } from '../news/mail-news.ts';
import { SecondStepForm } from './SecondStepForm.tsx';
import { askKey, finishSignin, giveUpSignin, type HalfSignin } from './second-step.ts';

type ExpiredSecondStepProps = {
  half: HalfSignin;
  factors: readonly FactorKind[];
  onBack: (reason?: string) => void;
};

/** Renders the form in the password dialog. */
export function ExpiredSecondStep({ half, factors, onBack }: ExpiredSecondStepProps) {
  const leave = (reason?: string) => {
    void giveUpSignin();
    onBack(reason);
  };
  return (
    <>
      <p className="mb-4 text-ink-2">{t('Use your second factor to continue.')}</p>
      <SecondStepForm
        factors={factors}
        challenge={() => askKey(half.email)}
        prove={async proof => {
          await finishSignin(half, proof);
          await askAllAgain(queries);
        }}
        tries={MFA_TRIES}
        onGone={leave}
        onBack={() => leave()}
        backLabel={t('Back to sign-in')}
      />
    </>
  );
}
