// A plain-text body. It follows the theme, links go through the link page, and quoted text at the
// end is folded behind "···". Single lines of thousands of characters may break anywhere.
import { splitLinks } from '@keyfold/mail/links-in-text';
import { Fragment, memo, useEffect, useMemo, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { nextTask } from '../../../lib/pauses.ts';
import { AT_ONCE_CHARACTERS, piecesOfText } from '../frame/body-head.ts';
import { linkPageFor } from '../frame/frame-links.ts';
import { splitQuotes } from './text-quotes.ts';

/** Returns the target of a link; links in a notice only lead to pages of this service. */
function pageOf(href: string | undefined, isNotice: boolean): string | null {
  if (href === undefined) return null;
  if (isNotice) return URL.canParse(href) && new URL(href).origin === location.origin ? href : null;
  return linkPageFor(href);
}

type WordsProps = {
  text: string;
  isNotice: boolean;
  onCompose: ((mailto: string) => void) | undefined;
};

const linkLook = 'text-accent-text underline underline-offset-2 [overflow-wrap:anywhere]';

const Words = memo(function Words({ text, isNotice, onCompose }: WordsProps) {
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
});

/** The line beside a quotation replaces its first `>`; the markers of nested quotations stay. */
const withoutMarks = (quoted: string): string => quoted.replace(/^> ?/gmu, '');

/**
 * Returns the blocks of a text, split into pieces with their positions, and how much of the text is
 * shown. The amount grows from task to task.
 */
function useGrowingText(text: string, isForward: boolean) {
  const blocks = useMemo(() => {
    let at = 0;
    return splitQuotes(text, isForward).map(({ quoted, folded, text: written }) => {
      const words = quoted ? withoutMarks(written) : written;
      const pieces = [...piecesOfText(words, AT_ONCE_CHARACTERS)].map(piece => {
        const start = at;
        at += piece.length;
        return { start, text: piece };
      });
      return { quoted, folded, pieces };
    });
  }, [text, isForward]);
  const [shown, setShown] = useState(AT_ONCE_CHARACTERS);
  const isWhole = blocks.every(({ pieces }) => pieces.every(({ start }) => start < shown));
  useEffect(() => {
    if (isWhole) return;
    let isOver = false;
    void nextTask().then(() => {
      if (!isOver) setShown(shown + AT_ONCE_CHARACTERS);
    });
    return () => {
      isOver = true;
    };
  }, [shown, isWhole]);
  return { blocks, shown };
}

export type MessageTextProps = {
  text: string;
  isForward?: boolean;
  isNotice?: boolean;
  /** Called with the whole address when a mailto: link is clicked. */
  onCompose?: ((mailto: string) => void) | undefined;
};

/** The body of a text message, or a piece of it. */
export function MessageText({ text, isForward = false, isNotice = false, onCompose }: MessageTextProps) {
  const { blocks, shown } = useGrowingText(text, isForward);
  return (
    <div dir="auto" className="text-body break-words whitespace-pre-wrap">
      {blocks.map((block, index) => {
        const key = `${index}:${block.quoted}`;
        const pieces = block.pieces.filter(({ start }) => start < shown);
        if (pieces.length === 0) return null;
        const isLast = index === blocks.length - 1;
        const all = pieces.map((piece, at) => {
          const isEnd = at === block.pieces.length - 1;
          const written = block.quoted || isLast || !isEnd ? piece.text : `${piece.text}\n`;
          const some = <Words key={piece.start} text={written} isNotice={isNotice} onCompose={onCompose} />;
          // Each piece is laid out separately.
          return block.pieces.length === 1 ? some : <div key={piece.start}>{some}</div>;
        });
        if (!block.quoted) return <Fragment key={key}>{all}</Fragment>;
        const words = (
          <blockquote className="border-s-2 border-line-strong ps-3 text-ink-2">{all}</blockquote>
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
