// The composers that are open: at most three, docked, or one inline under a conversation. What is written lives in each
// one's draft session; composers.ts opens them (docs/interface.md#composer).
import { useSyncExternalStore } from 'react';
import { t } from '../../../lib/language.ts';
import { showToast } from '../../../ui/toasts.ts';
import type { DraftSession } from '../draft/draft-session.ts';

export type ComposerMode = 'docked' | 'minimized' | 'full' | 'phone' | 'inline';

export type OpenComposer = {
  readonly handle: string;
  readonly session: DraftSession;
  readonly mode: ComposerMode;
  readonly showsCcBcc: boolean;
  /** The conversation's mail it stands under, for an inline answer. */
  readonly under: string | null;
  /** It was just opened, restored or asked for: it takes the keyboard once. */
  readonly wantsFocus: boolean;
  /** It is sent as soon as nothing stands in the way, as if somebody had pressed the button. */
  readonly sendsItself?: boolean;
};

const MAX_COMPOSERS = 3;

let composers: readonly OpenComposer[] = [];
const listeners = new Set<() => void>();

function set(next: readonly OpenComposer[]): void {
  composers = next;
  for (const listener of listeners) listener();
}

/** The open composers. */
export const listComposers = (): readonly OpenComposer[] => composers;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The open composers, live. */
export function useComposers(): readonly OpenComposer[] {
  return useSyncExternalStore(subscribe, listComposers);
}

/** Changes how a composer is shown. One at a time is docked; the one that was becomes a bar. */
export function changeComposer(
  handle: string,
  change: Partial<Pick<OpenComposer, 'mode' | 'showsCcBcc' | 'under' | 'wantsFocus' | 'sendsItself'>>,
): void {
  const others = (one: OpenComposer): OpenComposer =>
    change.mode === 'docked' && one.mode === 'docked' ? { ...one, mode: 'minimized' } : one;
  set(composers.map(one => (one.handle === handle ? { ...one, ...change } : others(one))));
}

/** Puts a composer on the screen; a docked one makes a bar of the one that was. */
export function addComposer(added: OpenComposer): void {
  const others =
    added.mode === 'docked'
      ? composers.map(one => (one.mode === 'docked' ? { ...one, mode: 'minimized' as const } : one))
      : composers;
  set([...others, added]);
}

/** Takes a composer off the screen. Its session is ended by whoever calls. */
export function dropComposer(handle: string): void {
  set(composers.filter(one => one.handle !== handle));
}

/** Puts a composer back that was taken off. */
export function restoreComposer(composer: OpenComposer): void {
  if (composers.some(one => one.handle === composer.handle)) return;
  addComposer({ ...composer, wantsFocus: true });
}

/** Letters that are being discarded, which can be taken back for a moment. */
const discarded = new Map<DraftSession, () => void>();

/** Notes how a letter that is being discarded is taken back; returns what says that it cannot be any more. */
export function noteDiscarded(session: DraftSession, takeBack: () => void): () => void {
  discarded.set(session, takeBack);
  return () => discarded.delete(session);
}

/** Takes the letter of this draft back if it is being discarded, for who opens the draft wants it; whether it was. */
export function takeBackDiscarded(draftId: string): boolean {
  const [, takeBack] = [...discarded].find(([session]) => session.state().draftId === draftId) ?? [];
  takeBack?.();
  return takeBack !== undefined;
}

/** Sessions whose composer was closed and whose last save is still under way. */
const closing = new Map<DraftSession, Promise<unknown>>();

/** Notes that a session is saving for the last time, until `work` is done. */
export function noteClosing(session: DraftSession, work: Promise<unknown>): void {
  const done = work.catch(() => undefined).finally(() => closing.delete(session));
  closing.set(session, done);
}

/** Sessions whose composer was closed and that are not saved yet. */
export const listClosing = (): readonly DraftSession[] => [...closing.keys()];

/** Resolves once no closed composer is still saving this draft. */
export async function whenClosed(draftId: string): Promise<void> {
  await Promise.all(
    [...closing].filter(([session]) => session.state().draftId === draftId).map(([, work]) => work),
  );
}

/** Whether nothing was written into it yet. */
export const isUntouched = ({ session }: OpenComposer): boolean => session.state().save.kind === 'new';

/** Takes a composer off the screen and its draft, if any, off the server. */
export function discardComposer({ handle, session }: OpenComposer): void {
  dropComposer(handle);
  session.discard().catch(() => undefined);
}

/** Saves what is unsaved in every open letter. */
export async function saveAllComposers(): Promise<void> {
  await Promise.all(composers.map(({ session }) => session.saveNow()));
}

/** Takes all of them off, at sign-out. */
export function dropAllComposers(): void {
  set([]);
}

/** Inline answers do not count: they stand in their conversations, where nobody could find them to close one. */
export function hasRoom(): boolean {
  if (composers.filter(one => one.mode !== 'inline').length < MAX_COMPOSERS) return true;
  showToast({ tone: 'danger', text: t('Three messages are open. Close one of them first.') });
  return false;
}
