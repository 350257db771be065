// Commands of the mail view for the keyboard and the palette.
import { type Command, useCommands } from '../../session/commands/commands.ts';
import type { ShortcutId } from '../../session/commands/shortcut-keys.ts';
import { focusedRow } from './list/list-focus.ts';
import type { CheckMode } from './list/MailRow.tsx';
import { mailCommands, offerOfCommand, otherTitleOf } from './state/mail-actions.ts';
import { canUndo, undoLast } from './state/undo-change.ts';
import type { Acting } from './use-acting.ts';
import type { MailAddress } from './use-mail-address.ts';
import type { OpenRow } from './use-open-row.ts';
import type { ShownList } from './use-shown-list.ts';

/**
 * Builds a command from the table of actions. Its effect and name depend on the message's place.
 */
function commandOf(id: ShortcutId, { chosenSubject, actChosen }: Acting): Command {
  const offer = () => offerOfCommand(id, chosenSubject());
  return {
    id,
    run: () => {
      const now = offer();
      if (now !== null) actChosen(now);
    },
    isEnabled: () => offer() !== null,
    otherTitle: () => otherTitleOf(id, offer()),
  };
}

/** Registers the commands while the mail view is shown. */
export function useMailCommands(parts: {
  readonly address: MailAddress;
  readonly list: ShownList;
  readonly openRow: OpenRow;
  readonly acting: Acting;
}): void {
  const { address, list, openRow, acting } = parts;
  const { selection, hasSelection, rows } = list;
  const { cursor, openNow, move } = openRow;
  const hasRow = () => focusedRow() >= 0;
  const checkAtCursor = (mode: CheckMode) => {
    const id = cursor();
    if (id !== null) selection.check(id, mode);
  };
  useCommands([
    { id: 'next', run: () => move(1) },
    { id: 'previous', run: () => move(-1) },
    {
      id: 'open',
      run: () => {
        const id = cursor();
        if (id !== null) openRow.open(id);
      },
      isEnabled: () => openNow() === null && hasRow(),
    },
    {
      id: 'back',
      run: () => (hasSelection ? selection.clear() : address.open(null)),
      isEnabled: () => hasSelection || openNow() !== null,
    },
    { id: 'check', run: () => checkAtCursor('one'), isEnabled: () => cursor() !== null },
    { id: 'checkRange', run: () => checkAtCursor('range'), isEnabled: () => cursor() !== null },
    // In the reader, Ctrl a stays with the browser and selects the text.
    { id: 'checkAll', run: selection.checkAll, isEnabled: () => openNow() === null || hasRow() },
    { id: 'checkNone', run: selection.clear, isEnabled: () => hasSelection },
    ...mailCommands.map(id => commandOf(id, acting)),
    { id: 'menu', run: () => acting.openMenu(rows.idAt(focusedRow())), isEnabled: hasRow },
    { id: 'undo', run: undoLast, isEnabled: canUndo },
  ]);
}
