/** CSS classes that position a composer's window. */
import { cn } from '../../lib/class-names.ts';
import type { ComposerMode } from './windows/composer-list.ts';

/** Size, position and borders of the window in each mode. */
const frames: Record<ComposerMode, string> = {
  docked:
    'fixed end-5 bottom-0 z-40 w-[560px] max-w-[calc(100vw-40px)] rounded-t-card border border-b-0 border-line shadow-high',
  minimized:
    'fixed z-40 rounded-t-card border border-line shadow-high max-pane:start-4 max-pane:end-20 max-pane:rounded-card pane:bottom-0 pane:w-[300px] pane:border-b-0 max-pane:[:root:has([data-phone])_&]:hidden',
  full: 'fixed inset-[4dvh_max(16px,calc(50vw-480px))] z-40 rounded-card border border-line shadow-high',
  phone: 'fixed inset-0 z-40 pt-(--inset-top) pb-(--inset-bottom)',
  inline: 'min-h-96 rounded-card border border-line',
};

/**
 * Positions of minimized composers, from the edge inwards: the first without a docked composer,
 * then those beside it.
 */
const barPlaces = [
  'pane:end-5',
  'pane:end-[332px]',
  'pane:end-[644px]',
  'pane:end-[592px]',
  'pane:end-[904px]',
] as const;

/** On a phone they are stacked beside the compose button. */
const phoneBarPlaces = [
  'max-pane:bottom-[calc(78px+var(--inset-bottom))]',
  'max-pane:bottom-[calc(130px+var(--inset-bottom))]',
  'max-pane:bottom-[calc(182px+var(--inset-bottom))]',
] as const;

/**
 * Returns the classes of a window. `barPlace` is its index in barPlaces while it is minimized. A
 * docked window with files is taller.
 */
export function frameClass(mode: ComposerMode, barPlace = 0, hasFiles = false): string {
  const isMinimized = mode === 'minimized';
  return cn(
    mode === 'inline' && 'relative',
    frames[mode],
    mode === 'docked' && (hasFiles ? 'h-[min(680px,calc(100dvh-72px))]' : 'h-[min(520px,calc(100dvh-72px))]'),
    isMinimized && (barPlaces[barPlace] ?? barPlaces[0]),
    isMinimized && phoneBarPlaces[barPlace % phoneBarPlaces.length],
  );
}
