// A plain-text body: follows the theme, links lead through the link page, the earlier mail at its end is folded behind
// "···". Text that is one line of thousands of characters breaks where it must.
import { splitLinks } from '@keyfold/mail/links-in-text';
import { t } from '../../../lib/language.ts';
import { linkPageFor } from '../frame/frame-links.ts';
import { splitQuotes } from './text-quotes.ts';

/** Where a link leads; that of a notice only inside this service. */
function pageOf(href: string | undefined, isNotice: boolean): string | null {
  if (href === undefined) return null;
  if (isNotice) return URL.canParse(href) && new URL(href).origin === location.origin ? href : null;
  return linkPageFor(href);
}

interface WordsProps {
  text: string;
  isNotice: boolean;
  onCompose: ((mailto: string) => void) | undefined;
}

const linkLook = 'text-accent-text underline underline-offset-2 [overflow-wrap:anywhere]';

function Words({ text, isNotice, onCompose }: WordsProps) {
  let position = 0;
  return splitLinks(text).map(part => {
    const key = position;
    position += part.text.length;
    const { href } = part;
    if (href !== undefined && /^mailto:/i.test(href) && onCompose !== undefined && !isNotice) {
      const compose = (event: React.MouseEvent) => {
        event.preventDefault();
        onCompose(href);
      };
      return (
        <a key={key} href={href} onClick={compose} className={linkLook}>
          {part.text}
        </a>
      );
    }
    const page = pageOf(href, isNotice);
    if (page === null) return part.text;
    return (
      <a key={key} href={page} title={href} target="_blank" rel="noopener noreferrer" className={linkLook}>
        {part.text}
      </a>
    );
  });
}

/** The line beside a quotation stands for its first `>`; those of older quotations in it stay. */
const withoutMarks = (quoted: string): string => quoted.replace(/^> ?/gmu, '');

/** The body of a text message. */
export function MessageText({
  text,
  isForward = false,
  isNotice = false,
  onCompose,
}: {
  text: string;
  isForward?: boolean;
  isNotice?: boolean;
  /** A link to write a message was pressed; its whole address. */
  onCompose?: (mailto: string) => void;
}) {
  const blocks = splitQuotes(text.trimEnd(), isForward);
  return (
    <div dir="auto" className="text-body break-words whitespace-pre-wrap">
      {blocks.map((block, index) => {
        const key = `${index}:${block.quoted}`;
        if (!block.quoted)
          return (
            <Words
              key={key}
              isNotice={isNotice}
              onCompose={onCompose}
              text={index === blocks.length - 1 ? block.text : `${block.text}\n`}
            />
          );
        const words = (
          <blockquote className="border-s-2 border-line-strong ps-3 text-ink-2">
            <Words isNotice={isNotice} onCompose={onCompose} text={withoutMarks(block.text)} />
          </blockquote>
        );
        if (!block.folded) return <div key={key}>{words}</div>;
        return (
          <details key={key}>
            <summary
              aria-label={t('Quoted text')}
              title={t('Quoted text')}
              className="my-1 inline-block list-none rounded-control bg-well px-2.5 leading-4 text-ink-2 hover:bg-hover print:hidden [&::-webkit-details-marker]:hidden"
            >
              ···
            </summary>
            {words}
          </details>
        );
      })}
    </div>
  );
}
