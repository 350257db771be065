// Removes copied secrets from the clipboard after a minute, so that they are not pasted somewhere
// by mistake or read by another program much later. Only for secrets; public texts stay copied.
import { useEffect, useState } from 'react';
import { CLIPBOARD_KEPT_MS } from '../timing.ts';

let timer: ReturnType<typeof setTimeout> | undefined;
let forgetLater: AbortController | undefined;

/**
 * Whether something else was copied since. Checked only where the browser lets a page read the
 * clipboard without a prompt; elsewhere the secret is assumed to be still there.
 */
async function isReplaced(secret: string): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName });
    return state === 'granted' && (await navigator.clipboard.readText()) !== secret;
  } catch {
    return false;
  }
}

/** Empties the clipboard. A page without focus may not do so, and waits until the user is back. */
async function empty(secret: string): Promise<void> {
  if (await isReplaced(secret)) return;
  try {
    await navigator.clipboard.writeText('');
  } catch {
    forgetLater = new AbortController();
    const { signal } = forgetLater;
    window.addEventListener('focus', () => void empty(secret), { once: true, signal });
  }
}

/**
 * Copies a secret, and empties the clipboard after `CLIPBOARD_KEPT_MS`. Rejects where clipboard
 * access is denied.
 */
export async function copySecret(secret: string): Promise<void> {
  await navigator.clipboard.writeText(secret);
  clearTimeout(timer);
  forgetLater?.abort();
  timer = setTimeout(() => void empty(secret), CLIPBOARD_KEPT_MS);
}

/**
 * Copies a secret, and reports whether it is still in the clipboard. Does nothing where clipboard
 * access is denied.
 */
export function useSecretCopy(secret: string): { readonly isCopied: boolean; readonly copy: () => void } {
  const [copiedAt, setCopiedAt] = useState<number | null>(null);
  useEffect(() => {
    if (copiedAt === null) return;
    const end = setTimeout(() => setCopiedAt(null), CLIPBOARD_KEPT_MS);
    return () => clearTimeout(end);
  }, [copiedAt]);
  const copy = () =>
    void copySecret(secret).then(
      () => setCopiedAt(Date.now()),
      () => undefined,
    );
  return { isCopied: copiedAt !== null, copy };
}
