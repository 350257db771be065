// The open composers: at most three docked ones, or one inline under a conversation. The content is
// in each one's draft session; composers.ts opens them (docs/interface.md#composer).
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
  /** For an inline reply, the message of the conversation that it appears under. */
  readonly under: string | null;
  /** Takes the focus once, because it was just opened, restored or requested. */
  readonly wantsFocus: boolean;
  /** Sends automatically as soon as nothing blocks it, as if the user had pressed the button. */
  readonly sendsItself?: boolean;
};

const MAX_COMPOSERS = 3;

let composers: readonly OpenComposer[] = [];
const listeners = new Set<() => void>();

function set(next: readonly OpenComposer[]): void {
  composers = next;
  for (const listener of listeners) listener();
}

/** Returns the open composers. */
export const listComposers = (): readonly OpenComposer[] => composers;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the open composers, live. */
export function useComposers(): readonly OpenComposer[] {
  return useSyncExternalStore(subscribe, listComposers);
}

/** Changes how a composer is shown. Only one is docked at a time; the previous one is minimized. */
export function changeComposer(
  handle: string,
  change: Partial<Pick<OpenComposer, 'mode' | 'showsCcBcc' | 'under' | 'wantsFocus' | 'sendsItself'>>,
): void {
  const others = (one: OpenComposer): OpenComposer =>
    change.mode === 'docked' && one.mode === 'docked' ? { ...one, mode: 'minimized' } : one;
  set(composers.map(one => (one.handle === handle ? { ...one, ...change } : others(one))));
}

/** Adds a composer to the screen; a docked one minimizes the previous one. */
export function addComposer(added: OpenComposer): void {
  const others =
    added.mode === 'docked'
      ? composers.map(one => (one.mode === 'docked' ? { ...one, mode: 'minimized' as const } : one))
      : composers;
  set([...others, added]);
}

/** Removes a composer from the screen. The caller ends its session. */
export function dropComposer(handle: string): void {
  set(composers.filter(one => one.handle !== handle));
}

/** Puts a removed composer back on the screen. */
export function restoreComposer(composer: OpenComposer): void {
  if (composers.some(one => one.handle === composer.handle)) return;
  addComposer({ ...composer, wantsFocus: true });
}

/** Drafts that are being discarded and can be restored for a short time. */
const discarded = new Map<DraftSession, () => void>();

/**
 * Registers how to restore a draft that is being discarded; returns a function that unregisters it.
 */
export function noteDiscarded(session: DraftSession, takeBack: () => void): () => void {
  discarded.set(session, takeBack);
  return () => discarded.delete(session);
}

/**
 * Restores this draft if it is being discarded, because the user opens it; returns whether it was.
 */
export function takeBackDiscarded(draftId: string): boolean {
  const [, takeBack] = [...discarded].find(([session]) => session.state().draftId === draftId) ?? [];
  takeBack?.();
  return takeBack !== undefined;
}

/** Sessions with a closed composer and their last save still in progress. */
const closing = new Map<DraftSession, Promise<unknown>>();

/** Registers the last save of a session, until `work` is done. */
export function noteClosing(session: DraftSession, work: Promise<unknown>): void {
  const done = work.catch(() => undefined).finally(() => closing.delete(session));
  closing.set(session, done);
}

/** Returns the sessions that have a closed composer and are not saved yet. */
export const listClosing = (): readonly DraftSession[] => [...closing.keys()];

/** Resolves once no closed composer is still saving this draft. */
export async function whenClosed(draftId: string): Promise<void> {
  await Promise.all(
    [...closing].filter(([session]) => session.state().draftId === draftId).map(([, work]) => work),
  );
}

/** Returns whether the draft has no edits yet. */
export const isUntouched = ({ session }: OpenComposer): boolean => session.state().save.kind === 'new';

/** Removes a composer from the screen and deletes its draft, if any, from the server. */
export function discardComposer({ handle, session }: OpenComposer): void {
  dropComposer(handle);
  session.discard().catch(() => undefined);
}

/** Saves unsaved changes in every open draft. */
export async function saveAllComposers(): Promise<void> {
  await Promise.all(composers.map(({ session }) => session.saveNow()));
}

/** Removes all composers at sign-out. */
export function dropAllComposers(): void {
  set([]);
}

/**
 * Inline replies do not count: they are inside their conversations, where the user could not find
 * them to close one.
 */
export function hasRoom(): boolean {
  if (composers.filter(one => one.mode !== 'inline').length < MAX_COMPOSERS) return true;
  showToast({ tone: 'danger', text: t('You can have up to 3 messages open. Close one first.') });
  return false;
}
