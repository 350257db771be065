// What the program does differently in the shell of a phone, from its start on: addresses and notifications that it is opened
// with, the Back button, and the biometric sign-in that stands before the mailbox when it is on. Fetched in the shell alone, before the
// first screen.
import { t } from '../../lib/language.ts';
import { followBackButton } from '../../native/back-button.ts';
import type { LinkTarget } from '../../native/links.ts';
import { keepOneWindow } from '../../native/one-window.ts';
import { followLinks } from '../../native/opened-links.ts';
import { forgetSharedCopies, readSharedFiles } from '../../native/shared-files.ts';
import { inboxPath, pathForHash, signinPath } from '../../paths.ts';
import { setRequestTimeout } from '../../platform/transport.ts';
import { NATIVE_REQUEST_TIMEOUT_MS } from '../../timing.ts';
import { showToast } from '../../ui/toasts.ts';
import { serverOrigin } from '../calls/server-origin.ts';
import { enterAt } from '../entry.ts';
import { startPhonePush } from '../news/phone-push.ts';
import { followUnread } from '../news/unread-badge.ts';
import { saveFilesToPhone } from '../phone-files.ts';
import { shareFiles } from '../shared-files.ts';
import { findUser, subscribeUser } from '../state/current-user.ts';
import { onStatus, sessionStatus, setSessionStatus } from '../state/session-state.ts';
import { dropBiometrics, dropLeftovers, findBiometricNotice, isBiometricOn } from './biometric-login.ts';

/** What the router does for it. */
type Navigator = {
  readonly navigate: (path: string, options?: { readonly state: unknown }) => Promise<void>;
};

/** Where one goes on to after signing in; for the form, in case that the gate led to it at the same time. */
let wanted: string | null = null;

/** The screen that the program was opened for while nobody was in, once. */
export function takeWanted(): string | null {
  const path = wanted;
  wanted = null;
  return path;
}

/**
 * Leads to a screen. Where somebody has to sign in first the form is told of it at once: the way over the screen itself begins with
 * fetching that, and a finger may be quicker.
 */
function lead(path: string, router: Navigator): void {
  if (sessionStatus() === 'out') {
    wanted = path;
    void router.navigate(signinPath, { state: { from: path } });
  } else void router.navigate(path);
}

function openTarget(target: LinkTarget, router: Navigator): void {
  switch (target.kind) {
    case 'hash':
      lead(pathForHash(target.hash) ?? inboxPath, router);
      return;
    case 'letter':
      void readSharedFiles(target.files).then(files => {
        if (files.length < target.files.length)
          showToast({ tone: 'danger', text: t('A shared file could not be read') });
        shareFiles(files);
        void router.navigate(`/app/compose?mailto=${encodeURIComponent(target.mailto)}`);
      });
      return;
    case 'foreign':
      showToast({
        tone: 'danger',
        text: t('This link leads to another server, {host}, and was not opened', { host: target.host }),
      });
      return;
    case 'page':
      showToast({ tone: 'danger', text: t('This link opens in a browser, not in the app') });
  }
}

/** Keys that were locked with another password, or are other keys, and another person: what lies on the phone is not theirs. */
function followUser(): void {
  let lock = findUser()?.main_key.sent_key;
  subscribeUser(() => {
    const user = findUser();
    const known = findBiometricNotice();
    if (user !== null && known !== null) {
      const isOther = known.email !== user.kdf_email;
      const isLockedAnew = lock !== undefined && lock !== user.main_key.sent_key;
      if (isOther || isLockedAnew) {
        void dropBiometrics();
        if (isLockedAnew)
          showToast({ tone: 'success', text: t('Biometric sign-in is off. You can turn it on again.') });
      }
    }
    lock = user?.main_key.sent_key;
  });
  // Signing out clears local storage; what lies in the secure storage follows.
  onStatus(() => {
    if (sessionStatus() === 'out') void dropLeftovers();
    if (sessionStatus() === 'in') wanted = null;
  });
}

let asksAtOnce = false;

/** Whether the sign-in page asks for biometrics by itself: once, when the program was started. */
export function takeFirstQuestion(): boolean {
  const asks = asksAtOnce;
  asksAtOnce = false;
  return asks;
}

/** After what the program was started with: that is read first, and may be one of the copies. */
function forgetCopies(): void {
  void forgetSharedCopies();
  onStatus(() => {
    if (sessionStatus() === 'out') void forgetSharedCopies();
  });
}

/** Starts all of it. Resolves when the first screen may be drawn. */
export async function startNative(router: Navigator): Promise<void> {
  setRequestTimeout(NATIVE_REQUEST_TIMEOUT_MS);
  saveFilesToPhone();
  followBackButton();
  keepOneWindow(path => void router.navigate(path));
  followUser();
  followUnread();
  void dropLeftovers();
  if (isBiometricOn()) {
    // On every address: a link may lead on from one that needs no login, and find nothing to ask for its session.
    asksAtOnce = true;
    setSessionStatus('out');
  } else {
    enterAt(location.pathname);
  }
  const open = (target: LinkTarget): void => openTarget(target, router);
  // Without a word from the phone the program starts all the same.
  void startPhonePush(hash => open({ kind: 'hash', hash })).catch(() => undefined);
  await followLinks(new URL(serverOrigin()).host, open).catch(() => undefined);
  forgetCopies();
}
