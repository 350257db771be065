// The main part of a recipient's chip, which opens its menu: what it says in its tooltip, and Delete and Backspace.
import type { ComponentProps, KeyboardEvent } from 'react';
import { Tooltip } from '../../../ui/Tooltip.tsx';

type RecipientChipButtonProps = ComponentProps<'button'> & {
  /** The tooltip. */
  words: string;
  onRemove: () => void;
};

/** A trigger for a Menu: passes on what the menu gives it. */
export function RecipientChipButton({ words, onRemove, onKeyDown, ...rest }: RecipientChipButtonProps) {
  const key = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return onKeyDown?.(event);
    event.preventDefault();
    onRemove();
  };
  return (
    <Tooltip text={words}>
      <button
        {...rest}
        type="button"
        onKeyDown={key}
        className="relative flex min-w-0 items-center gap-1.5 rounded-full pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3"
      />
    </Tooltip>
  );
}
