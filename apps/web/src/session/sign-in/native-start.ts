// Startup in the native shell: links and notifications that open the app, the Back button, and the
// biometric sign-in that guards the mailbox when it is on. Loaded only in the shell, before the
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

/** The part of the router used here. */
type Navigator = {
  readonly navigate: (path: string, options?: { readonly state: unknown }) => Promise<void>;
};

/** Target after sign-in, for the form, in case the gate has redirected to it at the same time. */
let wanted: string | null = null;

/** Returns, once, the screen requested while no user was signed in. */
export function takeWanted(): string | null {
  const path = wanted;
  wanted = null;
  return path;
}

/**
 * Navigates to a screen. If sign-in is required first, goes directly to the form: a detour over the
 * screen would fetch that first, and the user may submit the form sooner.
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
          showToast({ tone: 'danger', text: t('Couldn’t read a shared file') });
        shareFiles(files);
        void router.navigate(`/app/compose?mailto=${encodeURIComponent(target.mailto)}`);
      });
      return;
    case 'foreign':
      showToast({
        tone: 'danger',
        text: t('Link not opened: it leads to another server ({host})', { host: target.host }),
      });
      return;
    case 'page':
      showToast({ tone: 'danger', text: t('This link works only in a browser, not in the app') });
  }
}

/**
 * Drops biometric data when the keys are locked with another password, are replaced, or belong to
 * another user.
 */
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
          showToast({
            tone: 'success',
            text: t('Biometric sign-in was turned off. You can turn it on again in Settings.'),
          });
      }
    }
    lock = user?.main_key.sent_key;
  });
  // Sign-out clears local storage; this also clears the secure storage.
  onStatus(() => {
    if (sessionStatus() === 'out') void dropLeftovers();
    if (sessionStatus() === 'in') wanted = null;
  });
}

let asksAtOnce = false;

/** Returns whether the sign-in page asks for biometrics by itself: once per start of the app. */
export function takeFirstQuestion(): boolean {
  const asks = asksAtOnce;
  asksAtOnce = false;
  return asks;
}

/**
 * Runs after the app's launch files have been read, because one of the copies may be among them.
 */
function forgetCopies(): void {
  void forgetSharedCopies();
  onStatus(() => {
    if (sessionStatus() === 'out') void forgetSharedCopies();
  });
}

/** Starts all of this. Resolves when the first screen may render. */
export async function startNative(router: Navigator): Promise<void> {
  setRequestTimeout(NATIVE_REQUEST_TIMEOUT_MS);
  saveFilesToPhone();
  followBackButton();
  keepOneWindow(path => void router.navigate(path));
  followUser();
  followUnread();
  void dropLeftovers();
  if (isBiometricOn()) {
    // On every address: a link on a page that needs no login may lead to a protected one, which
    // would find no session check to wait for.
    asksAtOnce = true;
    setSessionStatus('out');
  } else {
    enterAt(location.pathname);
  }
  const open = (target: LinkTarget): void => openTarget(target, router);
  // The app starts even if the phone does not answer.
  void startPhonePush(hash => open({ kind: 'hash', hash })).catch(() => undefined);
  await followLinks(new URL(serverOrigin()).host, open).catch(() => undefined);
  forgetCopies();
}
