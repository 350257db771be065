// Callbacks of the list rows, as one stable object, so that they cause no re-render of a row.
import { useMemo, useRef } from 'react';
import type { MailRowActions } from './list/MailRow.tsx';
import { subjectOf } from './state/list-changes.ts';
import { offerOf } from './state/mail-actions.ts';
import type { Acting } from './use-acting.ts';
import type { MailAddress } from './use-mail-address.ts';
import type { OpenRow } from './use-open-row.ts';
import type { ShownList } from './use-shown-list.ts';

type Parts = {
  readonly address: MailAddress;
  readonly list: ShownList;
  readonly openRow: OpenRow;
  readonly acting: Acting;
};

/** Each callback uses the values of the last render. */
export function useRowActions(parts: Parts): MailRowActions {
  const latest = useRef(parts);
  latest.current = parts;
  const { check } = parts.list.selection;
  return useMemo(() => {
    const now = () => latest.current;
    return {
      hrefOf: id => now().address.hrefOf(id),
      onOpen: id => now().openRow.open(id),
      onCheck: check,
      onAct: (id, action, anchor) => {
        const row = now().list.rows.find(id);
        const offer = row === undefined ? null : offerOf(action, subjectOf(row));
        if (offer !== null) now().acting.actOn(row, offer, anchor);
      },
      onMenu: (id, point) => now().acting.openMenu(id, point),
      dragged: id => {
        const { rows, selection } = now().list;
        return selection.checked.has(id) ? rows.idsWhere(one => selection.checked.has(one)) : [id];
      },
    };
  }, [check]);
}
