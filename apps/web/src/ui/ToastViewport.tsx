// Where the toasts appear: bottom right, beside a docked composer, or across the full width of a
// phone, and clear of what must not be covered (toast-room.ts). F6 moves the focus into them.
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { cn } from '../lib/class-names.ts';
import { t } from '../lib/language.ts';
import { IconButton } from './IconButton.tsx';
import { keepClear } from './toast-room.ts';
import { toastStore } from './toasts.ts';

const tones = {
  success: 'border-success/25 bg-success-bg text-success',
  danger: 'border-danger/25 bg-danger-bg text-danger',
  warning: 'border-warn/25 bg-warn-bg text-warn',
} as const;

/** The region of all toasts; a docked composer (`data-docked`) shifts it aside. Mounted once. */
export function ToastViewport() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.list);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const hide = () => (document.hidden ? toastStore.pause('hidden') : toastStore.resume('hidden'));
    const jump = (event: KeyboardEvent) => {
      const first = region.current?.querySelector<HTMLElement>('button');
      if (event.key !== 'F6' || first === null || first === undefined) return;
      event.preventDefault();
      first.focus();
    };
    const look = ({ target }: PointerEvent) => {
      if (target instanceof Node && !region.current?.contains(target)) toastStore.resume('pointer');
    };
    document.addEventListener('pointerover', look);
    document.addEventListener('visibilitychange', hide);
    document.addEventListener('keydown', jump);
    return () => {
      document.removeEventListener('pointerover', look);
      document.removeEventListener('visibilitychange', hide);
      document.removeEventListener('keydown', jump);
    };
  }, []);
  // A toast that is dismissed under the pointer or with the focus inside sends no leave or blur
  // event.
  useEffect(() => {
    if (toasts.length === 0) toastStore.resume('pointer');
    if (toasts.length === 0 || !region.current?.contains(document.activeElement)) toastStore.resume('focus');
  }, [toasts.length]);
  // Each toast makes the region taller.
  useLayoutEffect(() => {
    if (region.current !== null && toasts.length > 0) return keepClear(region.current);
  }, [toasts]);
  return (
    <section
      ref={region}
      aria-label={t('Notifications')}
      aria-live="polite"
      onPointerEnter={() => toastStore.pause('pointer')}
      onPointerLeave={() => toastStore.resume('pointer')}
      onFocus={() => toastStore.pause('focus')}
      onBlur={() => toastStore.resume('focus')}
      className={cn(
        // No transition, not even the short one of reduced motion: the position is measured and set
        // in one step.
        'fixed bottom-4 z-60 flex w-[360px] max-w-[calc(100vw-32px)] flex-col gap-2 transition-none print:hidden',
        'max-pane:inset-x-4 max-pane:bottom-[calc(16px+var(--inset-bottom))] max-pane:w-auto',
        'pane:end-4 pane:[:root:has([data-docked])_&]:end-[600px] pane:[:root:has([data-docked])_&]:max-w-[calc(100vw-616px)]',
      )}
    >
      {toasts.map(toast => (
        <div
          key={toast.id}
          role={toast.tone === 'danger' ? 'alert' : 'status'}
          className={cn(
            'flex min-h-11 items-center gap-2 rounded-card border ps-4 pe-2 text-control font-medium shadow-mid',
            tones[toast.tone],
          )}
        >
          <span className="py-2.5 break-words">{toast.text}</span>
          {toast.action !== undefined && (
            <button
              type="button"
              className="h-7 rounded-nav px-2 font-semibold underline underline-offset-2 hover:bg-current/10 pointer-coarse:h-11"
              onClick={() => {
                toastStore.dismiss(toast.id);
                toast.action?.onAct();
              }}
            >
              {toast.action.label}
            </button>
          )}
          <IconButton
            tip={false}
            variant="inherit"
            size="sm"
            label={t('Dismiss')}
            className="ms-auto"
            onClick={() => toastStore.dismiss(toast.id)}
          >
            <X size={15} />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
