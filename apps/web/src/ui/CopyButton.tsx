// Copies a text and confirms it for two seconds, also to screen readers.
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../lib/language.ts';
import { COPIED_MS } from '../timing.ts';
import { IconButton } from './IconButton.tsx';

type CopyButtonProps = {
  text: string;
  /** What is copied, as in "Copy host". */
  label: string;
  variant?: 'quiet' | 'inherit';
};

/** A small button beside a value. Does nothing where clipboard access is denied. */
export function CopyButton({ text, label, variant = 'quiet' }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <>
      <IconButton
        variant={variant}
        size="sm"
        label={isCopied ? t('Copied') : label}
        onClick={() => void copy()}
      >
        {isCopied ? <Check size={14} /> : <Copy size={14} />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? t('Copied') : ''}
      </span>
    </>
  );
}
