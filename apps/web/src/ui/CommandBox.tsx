// A window with one field and grouped entries below it. The first entry is highlighted, arrow keys
// move the highlight, Enter selects. The caller decides which entries there are and in which order.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { tAs } from '../lib/language.ts';
import { Kbd } from './Kbd.tsx';

export type CommandBoxItem = {
  id: string;
  title: string;
  icon?: ReactNode;
  keys?: string | undefined;
};

export type CommandBoxGroup = {
  label: string;
  items: readonly CommandBoxItem[];
};

type CommandBoxProps = {
  open: boolean;
  onClose: () => void;
  /** Called when the window is gone and the focus is back where it was. */
  onClosed: () => void;
  label: string;
  placeholder: string;
  text: string;
  onTextChange: (text: string) => void;
  groups: readonly CommandBoxGroup[];
  onPick: (id: string) => void;
  /** Shown in place of the list when nothing matches. */
  empty: string;
};

const itemText = (item: CommandBoxItem): string => item.title;

/** Renders the window; Esc and the backdrop close it and return the focus. */
export function CommandBox(props: CommandBoxProps) {
  const { open, onClose, onClosed, label, placeholder, text, onTextChange, groups, onPick, empty } = props;
  return (
    <Dialog.Root
      open={open}
      onOpenChange={next => !next && onClose()}
      onOpenChangeComplete={next => !next && onClosed()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-shade" />
        <Dialog.Popup
          aria-label={label}
          className="fixed inset-x-0 top-[max(12px,12dvh)] z-50 mx-auto flex max-h-[min(520px,76dvh)] w-[calc(100vw-24px)] max-w-[600px] flex-col overflow-hidden rounded-dialog border border-line bg-raised text-ink shadow-high outline-none"
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            autoHighlight="always"
            keepHighlight
            value={text}
            itemToStringValue={itemText}
            onValueChange={(next, details) => {
              if (details.reason !== 'item-press') onTextChange(next);
            }}
          >
            <div className="flex h-13 shrink-0 items-center gap-3 border-b border-line px-4 text-ink-3">
              <Search aria-hidden size={17} className="shrink-0" />
              <Autocomplete.Input
                aria-label={label}
                placeholder={placeholder}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                className="h-full min-w-0 flex-1 bg-transparent text-pane text-ink outline-none placeholder:text-ink-3"
              />
              <Kbd>{tAs('key', 'Esc')}</Kbd>
            </div>
            <Autocomplete.Empty className="px-4 py-6 text-center text-control text-ink-3 empty:hidden">
              {empty}
            </Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 flex-1 scroll-py-2 overflow-auto overscroll-contain p-1.5 empty:hidden">
              {(group: CommandBoxGroup) => (
                <Autocomplete.Group key={group.label} items={group.items} className="pb-1">
                  <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-meta font-semibold text-ink-3">
                    {group.label}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: CommandBoxItem) => (
                      <Autocomplete.Item
                        key={item.id}
                        value={item}
                        onClick={() => onPick(item.id)}
                        className="flex min-h-9 cursor-default items-center gap-3 rounded-control px-2.5 outline-none select-none data-[highlighted]:bg-selected pointer-coarse:min-h-11"
                      >
                        <span aria-hidden className="grid w-[17px] shrink-0 place-items-center text-ink-3">
                          {item.icon}
                        </span>
                        <span dir="auto" className="min-w-0 flex-1 truncate rtl:text-end">
                          {item.title}
                        </span>
                        {item.keys !== undefined && (
                          <span className="shrink-0 pointer-coarse:hidden">
                            <Kbd>{item.keys}</Kbd>
                          </span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
