// Shows a sanitised HTML body in a frame of its own: message-frame.html, whose policy allows inline styles but no script
// and no network; message-frame-remote.html is used once remote images were asked for. The height follows the content.
import { useEffect, useRef } from 'react';
import { cn } from '../../lib/class-names.ts';
import { fillFrame, linkPageFor } from './frame-document.ts';

export interface MessageFrameProps {
  /** Already sanitised. */
  html: string;
  theme: 'light' | 'dark';
  /** White ground for mail that brings its own colours. */
  isPaper?: boolean;
  /** Remote images may be loaded. */
  allowsRemote?: boolean;
  /** A mailto: link was clicked; the address without the scheme and query. */
  onCompose?: (address: string) => void;
}

/** Opens what was clicked in the frame; the frame itself never navigates. */
function followLink(event: MouseEvent, onCompose: MessageFrameProps['onCompose']): void {
  const target = event.target as Element | null;
  const link = target?.closest?.('a[href], area[href]');
  if (link === null || link === undefined) return;
  event.preventDefault();
  const href = link.getAttribute('href') ?? '';
  if (href.startsWith('#') && href.length > 1) {
    link.ownerDocument.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView();
    return;
  }
  if (/^mailto:/i.test(href)) {
    onCompose?.(decodeURIComponent(href.slice('mailto:'.length).split('?')[0] ?? ''));
    return;
  }
  const page = linkPageFor(href);
  if (page !== null) window.open(page, '_blank', 'noopener,noreferrer');
}

/** The body of an HTML message. */
export function MessageFrame({
  html,
  theme,
  isPaper = false,
  allowsRemote = false,
  onCompose,
}: MessageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const compose = useRef(onCompose);
  compose.current = onCompose;
  const shownTheme = isPaper ? 'light' : theme;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let observer: ResizeObserver | undefined;
    const fill = () => {
      const inner = element.contentDocument;
      // Until its page has loaded the frame holds another one, which would lose the body, or refuse what is allowed now.
      if (inner?.body === null || inner === null || inner.URL !== element.src) return;
      fillFrame(inner, { html, theme: shownTheme });
      const fit = () => {
        element.style.height = `${Math.ceil(inner.documentElement.getBoundingClientRect().height)}px`;
      };
      observer?.disconnect();
      observer = new ResizeObserver(fit);
      observer.observe(inner.body);
      inner.onclick = event => followLink(event, compose.current);
      inner.onauxclick = event => followLink(event, compose.current);
      fit();
    };
    // Also after a change of `src`, which replaces the document inside.
    element.addEventListener('load', fill);
    fill();
    return () => {
      element.removeEventListener('load', fill);
      observer?.disconnect();
    };
  }, [html, shownTheme]);
  return (
    <div className={cn(isPaper && 'rounded-control bg-paper p-4')}>
      <iframe
        ref={frame}
        title="Message body"
        sandbox="allow-same-origin"
        src={allowsRemote ? '/message-frame-remote.html' : '/message-frame.html'}
        className="block h-24 w-full border-0 bg-transparent"
      />
    </div>
  );
}
