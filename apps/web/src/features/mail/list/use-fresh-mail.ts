// Handles new mail that arrives while the list is shown. At the top of the list it slides in;
// otherwise the list stays as it is and a pill shows the number of new messages
// (docs/interface.md#states). Screen readers announce it once.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { mailWanted, newEmailsReceived } from '../../../session/news/mail-news.ts';
import { countsKey } from '../state/mail-cache.ts';
import { refreshMail } from '../state/mutations.ts';

/** `list` identifies the shown list; another list starts with no waiting messages. */
export function useFreshMail(list: string, isAtTop: () => boolean) {
  const cache = useQueryClient();
  const [state, setState] = useState({ list, news: '', waiting: 0 });
  if (state.list !== list) setState({ list, news: '', waiting: 0 });
  const atTop = useRef(isAtTop);
  atTop.current = isAtTop;
  useEffect(() => {
    const refresh = (event: Event) => {
      const count = event instanceof CustomEvent ? Number(event.detail?.count) : 0;
      const holds = count > 0 && !atTop.current();
      setState(before => ({
        ...before,
        news: count > 0 ? newsText(count) : before.news,
        waiting: holds ? before.waiting + count : 0,
      }));
      if (holds) void cache.invalidateQueries({ queryKey: countsKey });
      else void refreshMail(cache);
    };
    const ask = () => void refreshMail(cache);
    addEventListener(newEmailsReceived, refresh);
    addEventListener(mailWanted, ask);
    return () => {
      removeEventListener(newEmailsReceived, refresh);
      removeEventListener(mailWanted, ask);
    };
  }, [cache]);
  return {
    /** The text of the announcement. */
    news: state.news,
    /** Number of messages that wait above a scrolled list. */
    waiting: state.waiting,
    /** Adds the waiting messages to the list. */
    show: () => {
      setState(before => ({ ...before, waiting: 0 }));
      void refreshMail(cache);
    },
  };
}

/** Returns the announcement, as in "3 new messages". */
export const newsText = (count: number): string =>
  t('{count, plural, one {# new message} other {# new messages}}', { count });
