// Under the bulk bar: how much of the folder is selected, and the step from the loaded rows to all of them.
import { formatCount } from '../../lib/words.ts';

interface SelectAllBarProps {
  /** Rows checked among the loaded ones. */
  checked: number;
  loaded: number;
  total: number;
  folder: string;
  /** The whole folder is meant, minus what was unchecked. */
  isWholeFolder: boolean;
  onSelectWhole: () => void;
}

/** Says it in one sentence, with the link where there is more to select. */
export function SelectAllBar({
  checked,
  loaded,
  total,
  folder,
  isWholeFolder,
  onSelectWhole,
}: SelectAllBarProps) {
  const allLoaded = checked === loaded;
  return (
    <div className="shrink-0 border-b border-line bg-well px-3 py-1.5 text-center text-control text-ink-2 tabular-nums">
      {isWholeFolder
        ? `${formatCount(total - (loaded - checked))} in ${folder} are selected.`
        : allLoaded
          ? `All ${formatCount(loaded)} on this page are selected. `
          : `${formatCount(checked)} of ${formatCount(loaded)} loaded are selected. `}
      {!isWholeFolder && total > loaded && (
        <button
          type="button"
          onClick={onSelectWhole}
          className="rounded-chip font-semibold text-accent-text underline underline-offset-2 hover:no-underline"
        >
          Select all {formatCount(total)} in {folder}
        </button>
      )}
    </div>
  );
}
