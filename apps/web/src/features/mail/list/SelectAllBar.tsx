// Below the bulk bar: how much of the folder is selected, and a link that extends the selection
// from the loaded rows to all rows.
import { sentenceGap, t } from '../../../lib/language.ts';

type SelectAllBarProps = {
  /** Number of selected rows among the loaded ones. */
  checked: number;
  loaded: number;
  total: number;
  /** Number of all selected conversations, loaded or not. */
  count: number;
  folder: string;
  /** The whole folder is selected, except for rows that were unchecked. */
  isWholeFolder: boolean;
  onSelectWhole: () => void;
};

/** One sentence, with a link when more can be selected. */
export function SelectAllBar(props: SelectAllBarProps) {
  const { checked, loaded, total, count, folder, isWholeFolder, onSelectWhole } = props;
  const words = isWholeFolder
    ? t('{count} in {folder} are selected.', { count, folder })
    : checked === loaded
      ? t('All {count} on this page are selected.', { count: loaded })
      : t('{count} of {loaded} loaded are selected.', { count: checked, loaded });
  return (
    <div className="shrink-0 border-b border-line bg-well px-3 py-1.5 text-center text-control text-ink-2 tabular-nums">
      {words}
      {sentenceGap()}
      {!isWholeFolder && total > loaded && (
        <button
          type="button"
          onClick={onSelectWhole}
          className="rounded-chip font-semibold text-accent-text underline underline-offset-2 hover:no-underline"
        >
          {t('Select all {count} in {folder}', { count: total, folder })}
        </button>
      )}
    </div>
  );
}
