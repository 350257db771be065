// Text of a stranger whose web addresses can be followed, such as the link of a video meeting. Each leads through the page
// that shows where it goes (docs/spec-map.md 2); nothing else in the text is anything but text.
import { linkPath } from '../../paths.ts';

const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/i;

/** The text, its addresses as links. */
export function LinkedText({ text }: { text: string }) {
  return text.split(webAddress).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
        key={index}
        href={linkPath(piece)}
        target="_blank"
        rel="noopener noreferrer"
        className="break-all text-accent-text underline underline-offset-2"
      >
        {piece}
      </a>
    ),
  );
}
