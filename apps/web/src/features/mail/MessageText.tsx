// A plain-text body: follows the theme, links lead through the link page, quoted lines are folded behind "···".
import { linkPageFor } from './frame-document.ts';
import { splitLinks, splitQuotes } from './text-links.ts';

function Words({ text }: { text: string }) {
  let position = 0;
  return splitLinks(text).map(part => {
    const key = position;
    position += part.text.length;
    const page = part.href === undefined ? null : linkPageFor(part.href);
    if (page === null) return part.text;
    return (
      <a
        key={key}
        href={page}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent-text underline underline-offset-2"
      >
        {part.text}
      </a>
    );
  });
}

/** The body of a text message. */
export function MessageText({ text }: { text: string }) {
  const blocks = splitQuotes(text.trimEnd());
  return (
    <div dir="auto" className="text-body break-words whitespace-pre-wrap">
      {blocks.map((block, index) => {
        const key = `${index}:${block.quoted}`;
        if (!block.quoted)
          return <Words key={key} text={index === blocks.length - 1 ? block.text : `${block.text}\n`} />;
        return (
          <details key={key} className="text-ink-2">
            <summary
              aria-label="Quoted text"
              className="my-1 inline-block list-none rounded-control bg-well px-2.5 leading-4 hover:bg-hover [&::-webkit-details-marker]:hidden"
            >
              ···
            </summary>
            <div className="border-s-2 border-line-strong ps-3">
              <Words text={block.text} />
            </div>
          </details>
        );
      })}
    </div>
  );
}
