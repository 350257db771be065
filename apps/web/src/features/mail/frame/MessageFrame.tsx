// Shows a sanitized HTML body in a frame, message-frame.html, whose policy allows inline styles but
// no script and no network. Pictures are blob: URLs that the page fetched outside the frame. The
// frame's height follows its content.
import { useEffect, useRef, useState } from 'react';
import { cn } from '../../../lib/class-names.ts';
import { t } from '../../../lib/language.ts';
import { showBody } from './show-body.ts';

/**
 * How a body is colored: like the theme, on white paper, or with its own colors moved to a dark
 * background.
 */
export type FrameLook = 'light' | 'dark' | 'paper' | 'recoloured';

export type MessageFrameProps = {
  /** Already sanitized. */
  html: string;
  look: FrameLook;
  foldsQuotes?: boolean;
  /** Called with the whole address when a mailto: link is clicked. */
  onCompose?: ((mailto: string) => void) | undefined;
};

/** The body of an HTML message. */
export function MessageFrame({ html, look, foldsQuotes = true, onCompose }: MessageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const compose = useRef(onCompose);
  compose.current = onCompose;
  const [target, setTarget] = useState<string | null>(null);
  const isDark = look === 'dark' || look === 'recoloured';
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    return showBody(element, {
      html,
      isDark,
      foldsQuotes,
      compose: () => compose.current,
      onTarget: setTarget,
    });
  }, [html, isDark, foldsQuotes]);
  return (
    <div className={cn(look === 'paper' && 'rounded-control bg-paper p-3 max-pane:p-2')}>
      <iframe
        ref={frame}
        title={t('Message body')}
        sandbox="allow-same-origin"
        src="/message-frame.html"
        className="block h-24 w-full border-0 bg-transparent"
      />
      {target !== null && (
        <div
          aria-hidden
          dir="ltr"
          className="pointer-events-none fixed start-0 bottom-0 z-50 max-w-[min(640px,90vw)] truncate rounded-se-control border border-line bg-raised px-2.5 py-0.5 text-meta text-ink-2 shadow-low print:hidden"
        >
          {target}
        </div>
      )}
    </div>
  );
}
