// Shows the ten recovery codes, once: to copy, to save as a file, to print. They work immediately;
// Done invalidates all earlier ones.
import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { useSecretCopy } from '../../lib/secret-clipboard.ts';
import { joinSentences } from '../../lib/words.ts';
import { isNative } from '../../native/is-native.ts';
import { saveFile } from '../../platform/save-file.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { PhoneFileNote } from '../../session/PhoneFileNote.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { PrintAlone } from '../../ui/PrintAlone.tsx';
import { useFactorChange } from './factor-queries.ts';

type RecoveryCodesViewProps = {
  /** Address of the account, for the printout and the file. */
  email: string;
  codes: readonly string[];
  onDone: () => void;
};

/** The codes, the ways to save them, and a checkbox that must be ticked before they disappear. */
export function RecoveryCodesView({ email, codes, onDone }: RecoveryCodesViewProps) {
  const [isKept, setKept] = useState(false);
  const confirm = useFactorChange();
  const { isCopied, copy } = useSecretCopy(codes.join('\n'));
  const title = t('Keyfold recovery codes for {email}', { email });
  const download = () => {
    const text = `${title}\r\n\r\n${codes.join('\r\n')}\r\n`;
    void saveFile(new Blob([text], { type: 'text/plain' }), 'keyfold-recovery-codes.txt');
  };
  return (
    <PrintAlone>
      <p className="mb-4 text-ink-2 print:hidden">
        {t(
          'Use one of these codes after your password when you can’t use your second factor. Each code works once. They’re shown only now, so keep them somewhere safe.',
        )}
      </p>
      <p className="mb-2 hidden font-medium break-all print:block">{title}</p>
      <ol
        aria-label={t('Recovery codes')}
        dir="ltr"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-card border border-line bg-well p-4 font-mono text-control min-[420px]:grid-cols-2"
      >
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap items-center gap-2 print:hidden">
        <Button variant="outline" size="sm" onClick={copy}>
          <Copy size={15} />
          {t('Copy')}
        </Button>
        <Button variant="outline" size="sm" onClick={download}>
          <Download size={15} />
          {t('Save as file')}
        </Button>
        {!isNative() && (
          <Button variant="outline" size="sm" onClick={() => window.print()}>
            <Printer size={15} />
            {t('Print')}
          </Button>
        )}
        <span role="status" className="text-meta text-ink-3">
          {isCopied ? t('Copied. The clipboard is cleared in 1 minute.') : ''}
        </span>
      </div>
      <PhoneFileNote />
      <div className="mt-5 flex flex-col gap-3 print:hidden">
        <CheckboxLine label={t('I’ve saved my recovery codes')} checked={isKept} onChange={setKept} />
        {confirm.error !== null && (
          <p role="alert" className="text-control text-danger">
            {joinSentences(
              t('Couldn’t confirm the new codes. They work, and so do any codes you had before.'),
              callErrorText(confirm.error),
            )}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            disabled={!isKept}
            busy={confirm.isPending}
            onClick={() =>
              confirm.mutate({ kind: 'keep_codes', code: codes[0] ?? '' }, { onSuccess: onDone })
            }
          >
            {t('Done')}
          </Button>
          {confirm.error !== null && (
            <Button variant="quiet" disabled={confirm.isPending} onClick={onDone}>
              {t('Close')}
            </Button>
          )}
        </div>
      </div>
    </PrintAlone>
  );
}
