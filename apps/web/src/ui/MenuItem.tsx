// One entry of a Menu: icon, text, and its shortcut at the end.
import { type ReactNode, use } from 'react';
import { cn } from '../lib/class-names.ts';
import { Kbd } from './Kbd.tsx';
import { MenuPartsContext } from './menu-parts.ts';

type MenuItemProps = {
  icon?: ReactNode;
  keys?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  /** Shown as a check mark; the entry is then one choice among others. */
  checked?: boolean | undefined;
  onSelect?: (() => void) | undefined;
  children: ReactNode;
};

/** An entry that runs `onSelect` and closes the menu. */
export function MenuItem({
  icon,
  keys,
  danger = false,
  disabled = false,
  checked,
  onSelect,
  children,
}: MenuItemProps) {
  const parts = use(MenuPartsContext);
  const className = cn(
    'flex min-h-8 cursor-default items-center gap-2.5 rounded-control px-2.5 outline-none select-none pointer-coarse:min-h-11',
    'data-[highlighted]:bg-hover data-[disabled]:opacity-50',
    danger ? 'text-danger' : 'text-ink',
  );
  const content = (
    <>
      {icon !== undefined && (
        <span className={cn('grid size-4 place-items-center', !danger && 'text-ink-2')}>{icon}</span>
      )}
      <span className="flex-1">{children}</span>
      {keys !== undefined && (
        <span className="pointer-coarse:hidden">
          <Kbd>{keys}</Kbd>
        </span>
      )}
    </>
  );
  if (parts === null) return null;
  if (checked === undefined) {
    return (
      <parts.Item disabled={disabled} onClick={onSelect} className={className}>
        {content}
      </parts.Item>
    );
  }
  return (
    <parts.CheckboxItem
      checked={checked}
      disabled={disabled}
      closeOnClick
      onCheckedChange={() => onSelect?.()}
      className={className}
    >
      {content}
      <span aria-hidden className={cn('text-accent-text', !checked && 'invisible')}>
        ✓
      </span>
    </parts.CheckboxItem>
  );
}
