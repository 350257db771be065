// The setting for how long sending a message can be undone.
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { SelectRow } from '../../ui/SelectRow.tsx';
import {
  setUndoSendSeconds,
  UNDO_SEND_CHOICES,
  undoSendSeconds,
} from '../compose/sending/sending-settings.ts';

/** Saves at once, for this device. */
export function UndoSendRow() {
  const [seconds, setSeconds] = useState(undoSendSeconds);
  const choose = (value: string) => {
    const chosen = UNDO_SEND_CHOICES.find(choice => String(choice) === value);
    if (chosen === undefined) return;
    setUndoSendSeconds(chosen);
    setSeconds(chosen);
  };
  return (
    <SelectRow
      label={t('Undo send')}
      text={t('How long a message waits before it’s sent, so you can undo it.')}
      options={UNDO_SEND_CHOICES.map(choice => ({
        value: String(choice),
        label:
          choice === 0 ? t('Off') : t('{count, plural, one {# second} other {# seconds}}', { count: choice }),
      }))}
      value={String(seconds)}
      onChange={choose}
    />
  );
}
