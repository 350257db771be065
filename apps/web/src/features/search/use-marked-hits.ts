// Highlights the words of a search in the rows of the list and in the open message, including its
// frame, with the browser's own highlights. Nothing is added to the text of a message, so message
// content cannot interfere. In browsers without this API, the words are not highlighted.
import { findMarks, type Mark, marksOf } from '@keyfold/search/highlight';
import { parseQuery } from '@keyfold/search/query';
import { useEffect } from 'react';
import { MARK_PAUSE_MS } from '../../timing.ts';

const highlightName = 'search-hit';
/** Maximum number of text nodes that are searched, and of highlights, per document. */
const NODES_MAX = 4_000;
const RANGES_MAX = 1_000;
/**
 * Style of highlights: themed in our own page; readable on any background in a message's frame,
 * which has no theme.
 */
const pageStyle = `::highlight(${highlightName}){background-color:var(--selected-strong);color:var(--ink)}`;
const frameStyle = `::highlight(${highlightName}){background-color:mark;color:marktext}`;

const styled = new WeakSet<Document>();

/** Adds the highlight style to a document, once. */
function styleMarks(page: Document, style: string): void {
  const view = page.defaultView as (Window & typeof globalThis) | null;
  if (view === null || styled.has(page)) return;
  styled.add(page);
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(style);
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
}

function markIn(page: Document, roots: readonly Element[], marks: readonly Mark[]): void {
  const view = page.defaultView as (Window & typeof globalThis) | null;
  if (view === null || !('Highlight' in view)) return;
  const ranges: Range[] = [];
  let looked = 0;
  for (const root of marks.length === 0 ? [] : roots) {
    const walker = page.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (++looked > NODES_MAX || ranges.length > RANGES_MAX) break;
      for (const { start, end } of findMarks(node.nodeValue ?? '', marks)) {
        const range = page.createRange();
        range.setStart(node, start);
        range.setEnd(node, end);
        ranges.push(range);
      }
    }
  }
  if (ranges.length === 0) view.CSS.highlights.delete(highlightName);
  else view.CSS.highlights.set(highlightName, new view.Highlight(...ranges));
}

const frames = (): HTMLIFrameElement[] => [...document.querySelectorAll<HTMLIFrameElement>('main iframe')];

/** Highlights matches of `search` while the caller is mounted. */
export function useMarkedHits(search: string): void {
  useEffect(() => {
    const marks = marksOf(parseQuery(search), ['from', 'to', 'subject', 'body', 'filename']);
    const watched = new Map<Document, MutationObserver>();
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const watch = (page: Document, root: Node): void => {
      if (watched.has(page)) return;
      const observer = new MutationObserver(later);
      observer.observe(root, { childList: true, subtree: true, characterData: true });
      watched.set(page, observer);
    };
    const mark = (): void => {
      styleMarks(document, pageStyle);
      markIn(document, [...document.querySelectorAll('#list, main article')], marks);
      for (const frame of frames()) {
        const inner = frame.contentDocument;
        if (inner?.body === null || inner === null) continue;
        styleMarks(inner, frameStyle);
        watch(inner, inner.body);
        markIn(inner, [inner.body], marks);
      }
    };
    function later(): void {
      clearTimeout(waiting);
      waiting = setTimeout(mark, MARK_PAUSE_MS);
    }
    const main = document.querySelector('main') ?? document.body;
    watch(document, main);
    // A frame's document arrives with its `load` event, which does not bubble but can be captured.
    main.addEventListener('load', later, true);
    mark();
    return () => {
      clearTimeout(waiting);
      main.removeEventListener('load', later, true);
      for (const observer of watched.values()) observer.disconnect();
      markIn(document, [], []);
      for (const frame of frames()) if (frame.contentDocument !== null) markIn(frame.contentDocument, [], []);
    };
  }, [search]);
}
