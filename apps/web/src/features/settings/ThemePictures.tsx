// The theme picker, with a small picture of the mail view for each theme. A group of radio buttons:
// arrow keys move through it.
import { Check } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../lib/language.ts';
import { setThemeMode, type Theme, type ThemeMode, useThemeMode } from '../../theme/theme-mode.ts';

const ROWS = [0, 1, 2, 3];

/** Draws sidebar, list and reader as lines, in the colors of a theme. */
function Picture({ theme }: { theme: Theme }) {
  return (
    <div data-theme={theme} className="flex h-full w-40 shrink-0 bg-bg">
      <div className="flex w-9 flex-col gap-1.5 p-2">
        <div className="h-2.5 rounded-chip bg-fill" />
        <div className="h-1.5 rounded-chip bg-selected-strong" />
        <div className="h-1.5 rounded-chip bg-line" />
        <div className="h-1.5 rounded-chip bg-line" />
      </div>
      <div className="mt-2 flex w-14 flex-col border border-line bg-surface">
        {ROWS.map(row => (
          <div key={row} className="flex flex-1 flex-col justify-center gap-1 border-b border-line px-1.5">
            <div className={row === 0 ? 'h-1 w-8 bg-ink' : 'h-1 w-7 bg-ink-3'} />
            <div className="h-1 w-10 bg-line-strong opacity-40" />
          </div>
        ))}
      </div>
      <div className="mt-2 flex flex-1 flex-col gap-1.5 border-y border-line bg-surface p-2">
        <div className="h-2 w-10 bg-ink" />
        <div className="h-1.5 w-8 rounded-chip bg-secure" />
        <div className="h-1 bg-ink-3" />
        <div className="h-1 bg-ink-3" />
        <div className="h-1 w-9 bg-ink-3" />
      </div>
    </div>
  );
}

/** The group is labeled "Theme". */
export function ThemePictures() {
  const name = useId();
  const chosen = useThemeMode();
  const modes: readonly { mode: ThemeMode; label: string }[] = [
    { mode: 'system', label: t('System') },
    { mode: 'light', label: t('Light') },
    { mode: 'dark', label: t('Dark') },
  ];
  return (
    <div role="radiogroup" aria-label={t('Theme')} className="flex gap-3">
      {modes.map(({ mode, label }) => (
        <label
          key={mode}
          className="group relative flex w-40 flex-col gap-1.5 max-pane:min-w-0 max-pane:flex-1"
        >
          <span className="relative block h-24 overflow-hidden rounded-card border border-line-strong group-hover:border-ink-3 group-has-checked:outline-2 group-has-checked:outline-accent group-has-focus-visible:outline-3 group-has-focus-visible:outline-focus">
            <span aria-hidden className="pointer-events-none absolute inset-0 block">
              <Picture theme={mode === 'dark' ? 'dark' : 'light'} />
            </span>
            {mode === 'system' && (
              <span
                aria-hidden
                className="pointer-events-none absolute inset-0 block [clip-path:polygon(62%_0,100%_0,100%_100%,38%_100%)]"
              >
                <Picture theme="dark" />
              </span>
            )}
          </span>
          <span className="flex items-center gap-1.5 group-has-checked:font-semibold">
            {mode === chosen && <Check aria-hidden size={15} className="text-accent" />}
            {label}
          </span>
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={mode === chosen}
            onChange={() => setThemeMode(mode)}
            className="absolute inset-0 m-0 appearance-none outline-none"
          />
        </label>
      ))}
    </div>
  );
}
