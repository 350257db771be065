// The tag picker or the snooze panel over the mail screen; one at a time, for the chosen rows. A
// separate chunk, loaded at first use.
import { TagPicker } from '../../tags/TagPicker.tsx';
import type { FlagChange } from '../state/flag-changes.ts';
import type { PanelKind } from '../state/mail-actions.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import { SnoozePanel } from './SnoozePanel.tsx';

export type PanelState = {
  readonly kind: PanelKind;
  /** Element beside which the panel opens. */
  readonly anchor: Element | null;
  readonly rows: readonly MailRowData[];
  /** The panel applies to the selection, which may include more than these rows. */
  readonly isSelection: boolean;
};

type OrganizePanelProps = {
  panel: PanelState;
  onChange: (change: FlagChange) => void;
  onClose: () => void;
};

/** Open while mounted. */
export function OrganizePanel({ panel, onChange, onClose }: OrganizePanelProps) {
  const mails = panel.rows.map(({ mail }) => mail);
  return panel.kind === 'tag' ? (
    <TagPicker
      anchor={panel.anchor}
      mails={mails}
      onApply={change => onChange({ kind: 'tags', ...change })}
      onClose={onClose}
    />
  ) : (
    <SnoozePanel
      anchor={panel.anchor}
      isSnoozed={mails.some(mail => mail.snoozed)}
      onSnooze={until => onChange({ kind: 'snooze', until: until?.toISOString() ?? null })}
      onClose={onClose}
    />
  );
}
