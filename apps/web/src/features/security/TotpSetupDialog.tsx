// Sets up an authenticator app: its secret as a QR code and as text, then its first code, then the
// recovery codes.
import { type FormEvent, useId, useState } from 'react';
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { callErrorText } from '../../session/calls/error-text.ts';
import {
  isFactorRefusal,
  SecondFactorField,
  useFactorProof,
} from '../../session/sign-in/SecondFactorField.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { OtpField } from '../../ui/OtpField.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { SecretCopyButton } from '../../ui/SecretCopyButton.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { useFactorChange, useTotpSecret } from './factor-queries.ts';
import { RecoveryCodesView } from './RecoveryCodesView.tsx';

type TotpSetupDialogProps = {
  email: string;
  onClose: () => void;
};

const CODE_LENGTH = 6;

/** Splits the secret into groups of four, for reading it aloud. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?!$)/g, '$1 ');

function SecretStep({ onReady }: { onReady: () => void }) {
  const query = useTotpSecret();
  return (
    <AskedFor query={query} bars={['mx-auto size-52']} title={t('Couldn’t start the setup')}>
      {data => (
        <>
          <p className="mb-4 text-ink-2">
            {t('Scan this QR code with your authenticator app, or enter the key in the app.')}
          </p>
          <div className="mx-auto mb-4 size-52 overflow-hidden rounded-card border border-line">
            <QrCode text={data.uri} label={t('QR code for your authenticator app')} />
          </div>
          <div className="mb-5 rounded-control bg-well p-3">
            <div className="text-meta text-ink-2">{t('Key for your authenticator app')}</div>
            <div className="flex items-center gap-2">
              <code dir="ltr" className="min-w-0 flex-1 font-mono text-control break-words">
                {grouped(data.secret)}
              </code>
              <SecretCopyButton text={data.secret} label={t('Copy key')} />
            </div>
            <div className="mt-1 text-meta text-ink-2">{t('Time-based, 6 digits, 30 seconds, SHA-1')}</div>
          </div>
          <Button onClick={onReady}>{t('Continue')}</Button>
        </>
      )}
    </AskedFor>
  );
}

/** Open while mounted. */
export function TotpSetupDialog({ email, onClose }: TotpSetupDialogProps) {
  const [step, setStep] = useState(0);
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const factor = useFactorProof();
  const change = useFactorChange();
  const form = useId();
  const steps = [t('Scan'), t('Enter code'), t('Recovery codes')];
  const send = (typed: string) => {
    if (change.isPending || typed.length !== CODE_LENGTH || !factor.isReady) return;
    change.mutate(
      { kind: 'totp_on', code: typed, proof: factor.proof },
      {
        onSuccess: made => {
          factor.clear();
          if (made.length === 0) return onClose();
          setCodes(made);
          setStep(2);
        },
        onError: () => {
          if (factor.hasAnswer) factor.clear();
        },
      },
    );
  };
  const { error } = change;
  const isOfProof = factor.isOn && isFactorRefusal(error);
  const isLast = step === 2;
  return (
    <Dialog
      open
      {...(isLast ? {} : { onClose })}
      locked={change.isPending || isLast}
      title={t('Set up an authenticator app')}
    >
      <div className="mb-5 print:hidden">
        <Stepper steps={steps} current={step} />
      </div>
      {step === 0 && <SecretStep onReady={() => setStep(1)} />}
      {step === 1 && (
        <form
          id={form}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            send(code);
          }}
          className="flex flex-col gap-4"
        >
          <p className="text-ink-2">
            {t('Enter the 6-digit code that the app shows now. This turns it on.')}
          </p>
          <SecondFactorField factor={factor} error={isOfProof ? error : undefined} />
          <OtpField
            label={t('Code from your authenticator app')}
            value={code}
            onChange={setCode}
            onComplete={send}
            disabled={change.isPending}
            takesFocus={!factor.isOn}
            error={error === null || isOfProof ? undefined : callErrorText(error)}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              busy={change.isPending}
              disabled={code.length !== CODE_LENGTH || !factor.isReady}
            >
              {change.isPending ? t('Checking the code…') : t('Turn on')}
            </Button>
            <Button variant="quiet" disabled={change.isPending} onClick={() => setStep(0)}>
              {t('Back')}
            </Button>
          </div>
        </form>
      )}
      {isLast && <RecoveryCodesView email={email} codes={codes} onDone={onClose} />}
    </Dialog>
  );
}
