// The visible toasts and their timers: at most three, newest last, 3 s for plain toasts and 10 s
// with an action. All timers stop while the user points at or focuses a toast or cannot see the
// page. docs/spec-map.md 2.19, 2.20; ToastViewport renders them.
import { ACTION_TOAST_MS, TOAST_MS } from '../timing.ts';

const MAX_TOASTS = 3;

export type ToastAction = {
  label: string;
  onAct: () => void;
};

export type ToastInput = {
  tone: 'success' | 'danger' | 'warning';
  text: string;
  action?: ToastAction;
  /** Duration in ms; by default it depends on whether the toast has an action. */
  durationMs?: number;
};

export type Toast = ToastInput & {
  id: number;
};

type Clock = {
  remainingMs: number;
  startedAt: number;
  timer: ReturnType<typeof setTimeout> | undefined;
};

export type ToastStore = {
  show(input: ToastInput): number;
  dismiss(id: number): void;
  /** Stops all timers for one reason; they resume when no reason is left. */
  pause(reason: string): void;
  resume(reason: string): void;
  subscribe(listener: () => void): () => void;
  list(): readonly Toast[];
};

/** Creates an independent store; the client uses the one in toasts.ts. */
export function createToastStore(): ToastStore {
  let toasts: readonly Toast[] = [];
  let nextId = 1;
  const clocks = new Map<number, Clock>();
  const reasons = new Set<string>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const dismiss = (id: number) => {
    clearTimeout(clocks.get(id)?.timer);
    clocks.delete(id);
    if (!toasts.some(toast => toast.id === id)) return;
    toasts = toasts.filter(toast => toast.id !== id);
    changed();
  };
  const run = (id: number, clock: Clock) => {
    clock.startedAt = Date.now();
    clock.timer = setTimeout(() => dismiss(id), clock.remainingMs);
  };
  return {
    show(input) {
      const id = nextId++;
      toasts = [...toasts, { ...input, id }];
      while (toasts.length > MAX_TOASTS) {
        const oldest = toasts[0];
        if (oldest !== undefined) dismiss(oldest.id);
      }
      const clock = {
        remainingMs: input.durationMs ?? (input.action === undefined ? TOAST_MS : ACTION_TOAST_MS),
        startedAt: 0,
        timer: undefined,
      };
      clocks.set(id, clock);
      if (reasons.size === 0) run(id, clock);
      changed();
      return id;
    },
    dismiss,
    pause(reason) {
      if (reasons.size === 0) {
        for (const clock of clocks.values()) {
          clearTimeout(clock.timer);
          clock.remainingMs = Math.max(0, clock.remainingMs - (Date.now() - clock.startedAt));
        }
      }
      reasons.add(reason);
    },
    resume(reason) {
      if (!reasons.delete(reason) || reasons.size > 0) return;
      for (const [id, clock] of clocks) run(id, clock);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    list: () => toasts,
  };
}
