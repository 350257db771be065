// Connects buttons, keys and menus with the actions of the table (mail-actions.ts), for one row,
// the selection or the target of the keys. Also holds the panel or context menu that an action has
// opened over the list.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { anchorOf } from './list/list-focus.ts';
import type { OnAct } from './list/OfferButton.tsx';
import type { PanelState } from './list/OrganizePanel.tsx';
import type { RowMenuState } from './list/RowMenu.tsx';
import { findInConversation } from './state/conversation-query.ts';
import { useMailDrops } from './state/drop-target.ts';
import { changeOfDrop, placesOf, subjectOf } from './state/list-changes.ts';
import { effectOf, type Offer, type PanelKind, type Subject } from './state/mail-actions.ts';
import type { MailRowData } from './state/mail-cache.ts';
import { placeOf } from './state/mail-places.ts';
import type { MailAddress } from './use-mail-address.ts';
import type { OpenRow } from './use-open-row.ts';
import type { RowChanges } from './use-row-changes.ts';
import type { ShownList } from './use-shown-list.ts';

type Parts = {
  readonly address: MailAddress;
  readonly list: ShownList;
  readonly openRow: OpenRow;
  readonly rowChanges: RowChanges;
};

/**
 * Determines the target of the keys: the selection, else the open conversation, else the focused
 * row.
 */
function useChosen({ list, openRow }: Parts) {
  const cache = useQueryClient();
  /**
   * The open conversation may be in no list: a link led to it, or the filter no longer matches it.
   */
  const chosen = (): readonly MailRowData[] =>
    list.hasSelection
      ? list.checkedRows()
      : [list.rows.find(openRow.cursor()) ?? findInConversation(cache, openRow.openNow())].flatMap(
          row => row ?? [],
        );
  /** With both star actions available, the star of the first conversation decides. */
  const chosenSubject = (): Subject => {
    const [first] = chosen();
    return {
      where: list.hasSelection ? list.selectedPlaces() : placesOf(chosen()),
      ...(first === undefined ? {} : { starred: first.mail.starred }),
    };
  };
  return { chosen, chosenSubject };
}

/**
 * Handles messages dropped on a folder or a tag. Dragging one selected message takes the whole
 * selection along.
 */
function useDrops({ list, rowChanges }: Parts): void {
  const { rows, selection } = list;
  useMailDrops((ids, target) => {
    const isSelection = ids.some(id => selection.checked.has(id));
    const dropped = isSelection ? list.checkedRows() : ids.flatMap(id => rows.find(id) ?? []);
    const change = changeOfDrop(isSelection ? list.selectedPlaces() : placesOf(dropped), target);
    if (change === null) return;
    if (isSelection) rowChanges.changeSelection(change);
    else rowChanges.changeRows(dropped, change);
  });
}

/** Provides the actions of the screen. */
export function useActing(parts: Parts) {
  const { address, list, openRow, rowChanges } = parts;
  const { chosen, chosenSubject } = useChosen(parts);
  useDrops(parts);
  const [panel, setPanel] = useState<PanelState | null>(null);
  const [menu, setMenu] = useState<RowMenuState | null>(null);
  const openPanel = (kind: PanelKind, anchor: Element | null = anchorOf(kind)) => {
    const about = chosen().filter(({ mail }) => effectOf(kind, placeOf(mail)) !== null);
    if (about.length > 0) setPanel({ kind, anchor, rows: about, isSelection: list.hasSelection });
  };
  const actSelection = (offer: Offer, anchor?: Element) => {
    if (offer.panel !== null) openPanel(offer.panel, anchor);
    else rowChanges.changeSelection(offer.change);
  };
  const actOn = (row: MailRowData | undefined, offer: Offer, anchor: Element | null) => {
    if (row === undefined) return;
    if (offer.panel !== null) {
      setPanel({ kind: offer.panel, anchor, rows: [row], isSelection: false });
      return;
    }
    rowChanges.changeRows([row], offer.change);
    // An open conversation would be marked as read again.
    if (offer.effect === 'unread' && openRow.isOpen(row.mail.id)) address.open(null);
  };
  return {
    chosenSubject,
    actSelection,
    actOn,
    actChosen: (offer: Offer) => {
      if (list.hasSelection) actSelection(offer);
      else actOn(chosen()[0], offer, offer.panel && anchorOf(offer.panel));
    },
    panel,
    closePanel: () => setPanel(null),
    menu,
    openMenu: (id: string | null, point?: RowMenuState['point']) => {
      const row = list.rows.find(id);
      if (row === undefined) return;
      const isSelection = list.selection.checked.has(row.mail.id);
      const subject = isSelection ? { where: list.selectedPlaces() } : subjectOf(row);
      setMenu({ id: row.mail.id, point, isSelection, subject, isOpen: true });
    },
    closeMenu: () => setMenu(now => now && { ...now, isOpen: false }),
    actMenu: ((offer, anchor) => {
      if (menu === null) return;
      // The keyboard continues from this row.
      list.handle.current?.focusRow(list.rows.indexOf(menu.id));
      if (menu.isSelection) actSelection(offer, anchor);
      else actOn(list.rows.find(menu.id), offer, anchor);
    }) satisfies OnAct,
  };
}

export type Acting = ReturnType<typeof useActing>;
