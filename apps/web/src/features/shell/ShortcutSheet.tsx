// The sheet that `?` opens: every shortcut, grouped, searchable, and printable on a separate page.
// In a separate chunk.
import { Printer, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { isNative } from '../../native/is-native.ts';
import { ShortcutSection } from '../../session/commands/ShortcutSection.tsx';
import { useShortcutSet } from '../../session/commands/shortcut-keys.ts';
import { useShortcutSections } from '../../session/commands/shortcut-sections.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PrintAlone } from '../../ui/PrintAlone.tsx';

/** `onClose` is called for Esc, the backdrop and the Close button. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const sections = useShortcutSections(text);
  const set = useShortcutSet();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('Keyboard shortcuts')}
      wide
      initialFocus={field}
      footer={
        isNative() ? undefined : (
          <Button variant="outline" size="sm" onClick={() => print()} className="print:hidden">
            <Printer size={15} />
            {t('Print')}
          </Button>
        )
      }
    >
      <PrintAlone>
        <label className="mb-4 flex h-9 items-center gap-2.5 rounded-control border border-line-strong px-3 text-ink-3 focus-within:outline-2 focus-within:outline-focus print:hidden pointer-coarse:h-11">
          <Search aria-hidden size={16} className="shrink-0" />
          <input
            ref={field}
            aria-label={t('Search shortcuts')}
            placeholder={t('Search shortcuts')}
            value={text}
            onChange={event => setText(event.target.value)}
            className="min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-ink-3"
          />
        </label>
        {set === 'off' && (
          <p className="mb-4 text-control text-ink-2">
            {t('Single-letter shortcuts are turned off in Settings. These always work.')}
          </p>
        )}
        {sections.length === 0 && <p className="text-control text-ink-3">{t('No matching shortcuts')}</p>}
        <div className="gap-8 pane:columns-2">
          {sections.map(section => (
            <ShortcutSection
              key={section.id}
              section={section}
              heading="h3"
              className="mb-5 break-inside-avoid"
            />
          ))}
        </div>
      </PrintAlone>
    </Dialog>
  );
}
