// New mail that is announced while the list is shown: it slides in when the list is at its top; else the list stays as it
// is, under the reader's eyes, and a pill says how many came (docs/interface.md#states). Said to screen readers once.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { mailWanted, newEmailsReceived } from '../../../session/news/mail-news.ts';
import { countsKey } from '../state/mail-cache.ts';
import { refreshMail } from '../state/mutations.ts';

/** `list` names the list that is shown; another one starts with nothing waiting. */
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
    /** The words that announce it. */
    news: state.news,
    /** Mails that wait over the top of a list that is scrolled. */
    waiting: state.waiting,
    /** Brings them in. */
    show: () => {
      setState(before => ({ ...before, waiting: 0 }));
      void refreshMail(cache);
    },
  };
}

/** As in "3 new messages". */
export const newsText = (count: number): string =>
  t('{count, plural, one {# new message} other {# new messages}}', { count });
