// The tag picker or the snooze times, open over the mail screen: one of both, for the rows that were chosen. A chunk of
// its own, fetched at first use.
import { TagPicker } from '../../tags/TagPicker.tsx';
import type { PanelKind } from '../state/mail-actions.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { Mark } from '../state/marks.ts';
import { SnoozePanel } from './SnoozePanel.tsx';

export type PanelState = {
  readonly kind: PanelKind;
  /** Where it opens. */
  readonly anchor: Element | null;
  readonly rows: readonly MailRowData[];
  /** The selection is meant, which may be more than these rows. */
  readonly isSelection: boolean;
};

type OrganizePanelProps = {
  panel: PanelState;
  onMark: (mark: Mark) => void;
  onClose: () => void;
};

/** Open while mounted. */
export function OrganizePanel({ panel, onMark, onClose }: OrganizePanelProps) {
  const mails = panel.rows.map(({ mail }) => mail);
  return panel.kind === 'tag' ? (
    <TagPicker
      anchor={panel.anchor}
      mails={mails}
      onApply={change => onMark({ kind: 'tags', ...change })}
      onClose={onClose}
    />
  ) : (
    <SnoozePanel
      anchor={panel.anchor}
      isSnoozed={mails.some(mail => mail.snoozed)}
      onSnooze={until => onMark({ kind: 'snooze', until: until?.toISOString() ?? null })}
      onClose={onClose}
    />
  );
}
