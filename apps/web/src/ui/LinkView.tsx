// A link that is shown once, with a copy button. Its creator passes it on by their own means.
import { t } from '../lib/language.ts';
import { CopyButton } from './CopyButton.tsx';

/** The link on one line that can be selected; it is not stored anywhere else. */
export function LinkView({ link, text }: { link: string; text: string }) {
  return (
    <>
      <p className="text-ink-2">{text}</p>
      <div className="flex items-center gap-2 rounded-control bg-well py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 font-mono text-meta [overflow-wrap:anywhere]">
          {link}
        </code>
        <CopyButton text={link} label={t('Copy link')} />
      </div>
    </>
  );
}
