// Secrets in the clipboard: what was copied is taken out of it after a minute, so that it is not pasted somewhere by mistake or
// read by another program much later. Only for secrets; public things stay copied.
import { useEffect, useState } from 'react';
import { CLIPBOARD_KEPT_MS } from '../timing.ts';

let timer: ReturnType<typeof setTimeout> | undefined;
let forgetLater: AbortController | undefined;

/**
 * Whether something else was copied since. Only looked at where the browser lets a page do so without asking its reader; where
 * it does not, the secret is taken for still being there.
 */
async function isReplaced(secret: string): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName });
    return state === 'granted' && (await navigator.clipboard.readText()) !== secret;
  } catch {
    return false;
  }
}

/** Empties the clipboard; a page that is not looked at may not, and does it when somebody is back. */
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

/** Copies a secret, and empties the clipboard after `clipboardKeptMs`. Rejects where the clipboard is not allowed. */
export async function copySecret(secret: string): Promise<void> {
  await navigator.clipboard.writeText(secret);
  clearTimeout(timer);
  forgetLater?.abort();
  timer = setTimeout(() => void empty(secret), CLIPBOARD_KEPT_MS);
}

/** Copying of a secret for a screen that says so while it is in the clipboard. Does nothing where that is not allowed. */
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
