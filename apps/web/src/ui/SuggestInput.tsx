// A borderless text input with a list of suggestions below it. The caller decides what is suggested
// and what happens on a selection.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';

type SuggestInputProps<Item> = {
  label: string;
  inputRef?: Ref<HTMLInputElement> | undefined;
  inputMode?: 'email' | 'text';
  placeholder?: string;
  text: string;
  onTextChange: (text: string) => void;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
  onPick: (item: Item) => void;
  /**
   * Called for Enter without a highlighted suggestion, and for the other keys with a special
   * meaning.
   */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>, hasHighlight: boolean) => void;
  onPaste?: (event: ClipboardEvent) => void;
  onBlur?: () => void;
  disabled?: boolean;
};

/** An input whose first suggestion is highlighted while typing, so that Enter selects it. */
export function SuggestInput<Item>(props: SuggestInputProps<Item>) {
  const {
    label,
    inputRef,
    inputMode = 'text',
    placeholder,
    text,
    onTextChange,
    items,
    keyOf,
    renderItem,
    onPick,
  } = props;
  const { onKeyDown, onPaste, onBlur, disabled = false } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Autocomplete.Root
      items={items}
      filter={null}
      autoHighlight
      // An open list hides the rest of the page from screen readers, so an empty one must not be
      // open.
      open={isOpen && items.length > 0}
      onOpenChange={setOpen}
      value={text}
      itemToStringValue={keyOf}
      onValueChange={(next, details) => {
        // Esc closes the list or the field's container; the typed text stays.
        if (details.reason !== 'item-press' && details.reason !== 'escape-key') onTextChange(next);
      }}
    >
      <Autocomplete.Input
        ref={inputRef}
        aria-label={label}
        inputMode={inputMode}
        placeholder={placeholder}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        onKeyDown={event => onKeyDown?.(event, event.currentTarget.hasAttribute('aria-activedescendant'))}
        onPaste={onPaste}
        onBlur={onBlur}
        className="h-[26px] w-full bg-transparent outline-none pointer-coarse:h-9"
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={6} align="start" className="z-60 outline-none">
          <Autocomplete.Popup className="w-80 max-w-[calc(100vw-24px)] rounded-card border border-line bg-raised p-1 text-ink shadow-mid data-[empty]:hidden">
            <Autocomplete.List>
              {(item: Item) => (
                <Autocomplete.Item
                  key={keyOf(item)}
                  value={item}
                  onClick={() => onPick(item)}
                  // The field must not lose the focus before the click is handled.
                  onMouseDown={event => event.preventDefault()}
                  className="flex min-h-10 cursor-default items-center gap-2.5 rounded-control px-2 outline-none data-[highlighted]:bg-hover"
                >
                  {renderItem(item)}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
