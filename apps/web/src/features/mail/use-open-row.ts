// Determines which conversation is open and which one the keys act on, and navigates between
// conversations.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { inboxPath } from '../../paths.ts';
import { showToast } from '../../ui/toasts.ts';
import { openDraft } from '../compose/windows/composers.ts';
import { focusedRow } from './list/list-focus.ts';
import type { ListRows } from './list/list-rows.ts';
import type { MailRowData } from './state/mail-cache.ts';
import { createOpening } from './state/opening.ts';
import { prefetchMail, wholeMailQuery } from './state/queries.ts';
import type { MailAddress } from './use-mail-address.ts';
import type { ShownList } from './use-shown-list.ts';

/** Returns the row of the open conversation, even when a later message now represents it. */
function useRowId(rows: ListRows, openId: string | null): string | null {
  const opened = useRef<MailRowData['mail']>(undefined);
  opened.current = rows.find(openId)?.mail ?? opened.current;
  const thread = opened.current?.thread_id;
  if (opened.current?.id !== openId || rows.indexOf(openId) >= 0) return openId;
  return rows.presentWhere(() => true).find(({ mail }) => mail.thread_id === thread)?.mail.id ?? openId;
}

/** Provides the open conversation of the address, within its list. */
export function useOpenRow(address: MailAddress, { rows, handle }: ShownList) {
  const cache = useQueryClient();
  const rowId = useRowId(rows, address.openId);
  const [opening] = useState(createOpening);
  useLayoutEffect(() => opening.arrived(rowId), [opening, rowId]);
  useEffect(() => {
    const next = rowId === null ? null : rows.idAt(rows.indexOf(rowId) + 1);
    if (next !== null && !rows.find(next)?.mail.draft) void prefetchMail(cache, next);
  });
  const openNow = () => opening.current(rowId);
  const cursor = (): string | null => openNow() ?? rows.idAt(focusedRow());
  const open = (id: string) => {
    if (rows.find(id)?.mail.draft)
      openDraft(id, () => cache.fetchQuery({ ...wholeMailQuery(id), staleTime: 0 }));
    else address.open(id);
  };
  const neighbor = (id: string | null, step: 1 | -1): string | null => {
    const at = rows.indexOf(id);
    return rows.idAt(at >= 0 ? at + step : step === 1 ? 0 : rows.length - 1);
  };
  return {
    rowId,
    openNow,
    /** The message that keys act on: the open one, else the one whose row has the focus. */
    cursor,
    open,
    isOpen: (id: string): boolean => id === address.openId || id === rowId,
    move: (step: 1 | -1) => {
      const next = neighbor(cursor(), step);
      if (next === null) return;
      handle.current?.focusRow(rows.indexOf(next));
      // A draft would open a composer window at every step.
      if (rows.find(next)?.mail.draft) return;
      opening.ask(next);
      open(next);
    },
    leaveMissing: () => {
      showToast({ tone: 'danger', text: t('This message is no longer here') });
      // External links lead to "All mail" (paths.ts); after following one, users continue in the
      // inbox.
      if (address.word === 'all') void address.navigate(inboxPath, { replace: true });
      else address.open(null, true);
    },
  };
}

export type OpenRow = ReturnType<typeof useOpenRow>;
