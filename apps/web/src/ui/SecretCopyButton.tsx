// Copies a secret and shows, while it is in the clipboard, that it will be removed from there.
import { Check, Copy } from 'lucide-react';
import { t } from '../lib/language.ts';
import { useSecretCopy } from '../lib/secret-clipboard.ts';
import { IconButton } from './IconButton.tsx';

type SecretCopyButtonProps = {
  text: string;
  /** What is copied, as in "Copy code". */
  label: string;
};

/** A small button beside a secret. Does nothing where clipboard access is denied. */
export function SecretCopyButton({ text, label }: SecretCopyButtonProps) {
  const { isCopied, copy } = useSecretCopy(text);
  const said = t('Copied. The clipboard is cleared in 1 minute.');
  return (
    <>
      <IconButton variant="quiet" size="sm" label={isCopied ? said : label} onClick={copy}>
        {isCopied ? <Check size={14} /> : <Copy size={14} />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? said : ''}
      </span>
    </>
  );
}
