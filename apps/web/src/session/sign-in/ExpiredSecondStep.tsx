// The second step over a page whose session has ended while somebody writes. Fetched by who is asked for it.
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

/** The form in the dialog of the password. */
export function ExpiredSecondStep({ half, factors, onBack }: ExpiredSecondStepProps) {
  const leave = (reason?: string) => {
    void giveUpSignin();
    onBack(reason);
  };
  return (
    <>
      <p className="mb-4 text-ink-2">{t('Your account asks for a second factor.')}</p>
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
        backLabel={t('Back to the password')}
      />
    </>
  );
}
