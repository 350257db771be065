// Handles shortcut keys on the signed-in screens, and contains the two dialogs that teach them: the
// command palette and the shortcut sheet. Both are separate chunks, loaded when the page is idle or
// on first use.
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { isInOverlay } from '../../lib/typing.ts';
import { type Command, listCommands, useCommands } from '../../session/commands/commands.ts';
import { useShortcutKeys } from '../../session/commands/shortcuts.ts';
import { COMPOSER_WARM_MS } from '../../timing.ts';

const loadPalette = () => loadChunk('palette', () => import('./ConnectedPalette.tsx'));
const Palette = lazy(async () => ({ default: (await loadPalette()).ConnectedPalette }));
const Sheet = lazy(async () => ({
  default: (await loadChunk('shortcuts', () => import('./ShortcutSheet.tsx'))).ShortcutSheet,
}));

/** State at the time the palette was requested: the available commands, and the focused element. */
export type PaletteCall = {
  commands: readonly Command[];
  from: HTMLElement | null;
};

/** Characters typed before the palette has the focus go to the palette, not to the shortcuts. */
function useEarlyLetters(call: PaletteCall | null, add: (letter: string) => void): void {
  useEffect(() => {
    if (call === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (isInOverlay(event.target) || event.ctrlKey || event.metaKey) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      if (event.key.length === 1) add(event.key);
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [call, add]);
}

type CommandLayerProps = {
  onNavigate: (path: string) => void;
};

/** Renders nothing until one of the dialogs is requested. */
export function CommandLayer({ onNavigate }: CommandLayerProps) {
  const [call, setCall] = useState<PaletteCall | null>(null);
  const [text, setText] = useState('');
  const [hasPalette, setHasPalette] = useState(false);
  const [sheet, setSheet] = useState<'never' | 'open' | 'closed'>('never');
  useEarlyLetters(
    call,
    useCallback((letter: string) => setText(before => before + letter), []),
  );
  useShortcutKeys();
  useCommands([
    {
      id: 'palette',
      // The available commands are listed now, because the palette takes the focus a moment later.
      run: () => {
        const { activeElement } = document;
        setCall({
          commands: listCommands(),
          from: activeElement instanceof HTMLElement ? activeElement : null,
        });
        setText('');
        setHasPalette(true);
      },
    },
    { id: 'help', run: () => setSheet('open') },
  ]);
  useEffect(() => {
    const warming = setTimeout(() => {
      // Rendered closed, so that it is ready at the first key press.
      void loadPalette().then(
        () => setHasPalette(true),
        () => undefined,
      );
    }, COMPOSER_WARM_MS);
    return () => clearTimeout(warming);
  }, []);
  const close = useCallback(() => setCall(null), []);
  return (
    <Suspense>
      {hasPalette && (
        <Palette call={call} text={text} onTextChange={setText} onNavigate={onNavigate} onClose={close} />
      )}
      {sheet !== 'never' && <Sheet open={sheet === 'open'} onClose={() => setSheet('closed')} />}
    </Suspense>
  );
}
