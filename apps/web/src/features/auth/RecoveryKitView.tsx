// The recovery kit on screen and on paper: 24 words, ways to save them, and a check of one word
// before the kit counts. The words are shown once; the parent component has stored the kit, and
// confirms it when `onConfirmed` is called. The native shell cannot print, so there they are saved
// as a file. docs/acceptance.md 5.
import { Copy, Download, Printer } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { useSecretCopy } from '../../lib/secret-clipboard.ts';
import { isNative } from '../../native/is-native.ts';
import { saveFile } from '../../platform/save-file.ts';
import { PhoneFileNote } from '../../session/PhoneFileNote.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';

type RecoveryKitViewProps = {
  /** Owner of the kit, for the printout. */
  email: string;
  phrase: string;
  isBusy: boolean;
  /** Why the kit could not be confirmed. */
  error?: string | undefined;
  onConfirmed: () => void;
  /** Postpones the kit. */
  onLater: () => void;
};

/**
 * Words that are checked are at least this far from both ends, so that knowing the first and last
 * line is not enough.
 */
const EDGE = 2;

const pickPlace = (count: number): number => EDGE + Math.floor(Math.random() * (count - 2 * EDGE));

function WordList({ words }: { words: readonly string[] }) {
  return (
    <ol
      aria-label={t('Recovery words')}
      dir="ltr"
      className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-card border border-line bg-well p-4 font-mono text-control pane:grid-cols-3 print:grid-cols-3"
    >
      {words.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a word may stand twice; its place is what it is
        <li key={index} className="flex gap-2">
          <span aria-hidden className="w-6 text-end text-ink-3 tabular-nums">
            {index + 1}
          </span>
          {word}
        </li>
      ))}
    </ol>
  );
}

/** Shows the kit, and the check below it. */
export function RecoveryKitView(props: RecoveryKitViewProps) {
  const { email, phrase, isBusy, error, onConfirmed, onLater } = props;
  const words = phrase.split(' ');
  const [place] = useState(() => pickPlace(words.length));
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { isCopied, copy } = useSecretCopy(phrase);
  const input = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isWrong) input.current?.querySelector('input')?.select();
  }, [isWrong]);
  const title = t('Keyfold recovery kit for {email}', { email });
  const download = () => {
    const lines = words.map((word, index) => `${index + 1} ${word}`).join('\r\n');
    void saveFile(new Blob([`${title}\r\n\r\n${lines}\r\n`]), 'keyfold-recovery-kit.txt');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const isRight = typed.trim().toLowerCase() === words[place];
    setWrong(!isRight);
    if (isRight) onConfirmed();
  };
  return (
    <>
      <p className="mb-4 text-ink-2">
        {isNative()
          ? t(
              'These 24 words open your mail if you lose your password. They’re shown only once. Write them down or save them, and keep them somewhere safe.',
            )
          : t(
              'These 24 words open your mail if you lose your password. They’re shown only once. Print them or write them down, and keep them somewhere safe.',
            )}
      </p>
      <p className="mb-2 hidden font-medium break-all print:block">{title}</p>
      <WordList words={words} />
      <div className="mt-3 flex flex-wrap items-center gap-2 print:hidden">
        {isNative() ? (
          <Button variant="outline" size="sm" onClick={download}>
            <Download size={15} />
            {t('Save as file')}
          </Button>
        ) : (
          <Button variant="outline" size="sm" onClick={() => window.print()}>
            <Printer size={15} />
            {t('Print or save as PDF')}
          </Button>
        )}
        <Button variant="outline" size="sm" onClick={copy}>
          <Copy size={15} />
          {t('Copy')}
        </Button>
        <span role="status" className="text-meta text-ink-3">
          {isCopied ? t('Copied. The clipboard is cleared in 1 minute.') : ''}
        </span>
      </div>
      <PhoneFileNote />
      <form ref={input} noValidate onSubmit={submit} className="mt-5 flex flex-col gap-4 print:hidden">
        <TextField
          label={t('Word {number} of your kit', { number: place + 1 })}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={next => {
            setTyped(next);
            setWrong(false);
          }}
          hint={t('One word, to confirm that you saved your kit.')}
          error={isWrong ? t('That’s not word {number} of your kit', { number: place + 1 }) : undefined}
        />
        {error !== undefined && (
          <p role="alert" className="text-control text-danger">
            {error}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={isBusy} disabled={typed.trim() === ''}>
            {isBusy ? t('Saving the kit…') : t('I’ve saved my kit')}
          </Button>
          <Button variant="quiet" disabled={isBusy} onClick={onLater}>
            {t('Not now')}
          </Button>
        </div>
      </form>
    </>
  );
}
