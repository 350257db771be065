// The recovery kit on the screen and on paper: 24 words, ways to keep them, and one word asked back before it counts. The
// words are shown once; whoever mounts this has stored the kit, and confirms it when `onConfirmed` is called. In the shell of a
// phone, whose page cannot be printed, they are saved as a file. docs/acceptance.md 5.
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
  /** Whose kit it is, for the paper. */
  email: string;
  phrase: string;
  isBusy: boolean;
  /** Why the kit could not be confirmed. */
  error?: string | undefined;
  onConfirmed: () => void;
  /** Leaves it for another time. */
  onLater: () => void;
};

/** Words asked back are these far from both ends, so that the first and the last line alone do not help. */
const EDGE = 2;

const pickPlace = (count: number): number => EDGE + Math.floor(Math.random() * (count - 2 * EDGE));

function WordList({ words }: { words: readonly string[] }) {
  return (
    <ol
      aria-label={t('Words of the recovery kit')}
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

/** The kit, and the question under it. */
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
  const title = t('Keyfold recovery kit of {email}', { email });
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
              'These 24 words open your mail when the password is lost. They are shown once: write them down, or save them, and keep them where nobody else looks.',
            )
          : t(
              'These 24 words open your mail when the password is lost. They are shown once: print them, or write them down, and keep them where nobody else looks.',
            )}
      </p>
      <p className="mb-2 hidden font-medium break-all print:block">{title}</p>
      <WordList words={words} />
      <div className="mt-3 flex flex-wrap items-center gap-2 print:hidden">
        {isNative() ? (
          <Button variant="outline" size="sm" onClick={download}>
            <Download size={15} />
            {t('Save as a file')}
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
          {isCopied ? t('Copied. The clipboard is emptied in a minute.') : ''}
        </span>
      </div>
      <PhoneFileNote />
      <form ref={input} noValidate onSubmit={submit} className="mt-5 flex flex-col gap-4 print:hidden">
        <TextField
          label={t('Word {number} of your kit', { number: place + 1 })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={next => {
            setTyped(next);
            setWrong(false);
          }}
          hint={t('One word, to be sure that you have kept them.')}
          error={isWrong ? t('This is not word {number} of the kit', { number: place + 1 }) : undefined}
        />
        {error !== undefined && (
          <p role="alert" className="text-control text-danger">
            {error}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={isBusy} disabled={typed.trim() === ''}>
            {isBusy ? t('Saving the kit…') : t('I have kept it')}
          </Button>
          <Button variant="quiet" disabled={isBusy} onClick={onLater}>
            {t('Later')}
          </Button>
        </div>
      </form>
    </>
  );
}
