// Hears the keyboard for the signed-in screens, and holds the two windows that teach it: the command palette and the
// sheet of shortcuts. Both are chunks of their own, fetched when the page is idle or when they are asked for.
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

/** What the palette was asked for with: what could be done, and where the keyboard was. */
export type PaletteCall = {
  commands: readonly Command[];
  from: HTMLElement | null;
};

/** The letters that come before the palette has the focus are meant for it, not for the shortcuts. */
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

/** Draws nothing until one of the windows is asked for. */
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
      // What can be done is asked now: a moment later the focus is in the palette.
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
      // Drawn closed, so that the first press finds it ready.
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
