// Shown in the reading pane while no conversation is open.
import { Mail } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { keysOf, useShortcutSet } from '../../../session/commands/shortcut-keys.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Kbd } from '../../../ui/Kbd.tsx';

/** The most useful keyboard shortcuts; nothing when single-key shortcuts are disabled. */
function KeyHint() {
  const set = useShortcutSet();
  const hints = [
    { title: t('next'), keys: keysOf('next') },
    { title: t('previous'), keys: keysOf('previous') },
    { title: t('archive'), keys: keysOf('archive') },
    { title: t('compose'), keys: keysOf('compose') },
    { title: t('all shortcuts'), keys: keysOf('help') },
  ];
  if (set === 'off') return null;
  return (
    <span className="flex flex-wrap justify-center gap-x-4 gap-y-1.5 pointer-coarse:hidden">
      {hints.map(({ title, keys }) => (
        <span key={title}>
          <Kbd>{keys}</Kbd> {title}
        </span>
      ))}
    </span>
  );
}

/** A hint with the keys that navigate the list. */
export function ReaderEmpty() {
  return (
    <div className="h-full bg-surface">
      <EmptyState icon={<Mail />} title={t('No conversation selected')} text={<KeyHint />} />
    </div>
  );
}
