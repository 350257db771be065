// Blocks the sender of an open conversation: their new mail arrives in Spam. Can be undone
// (docs/spec-map.md 3; docs/interface.md#states).
import { t } from '../../../../lib/language.ts';
import { loadChunk } from '../../../../lib/load-chunk.ts';
import { callErrorText } from '../../../../session/calls/error-text.ts';
import { runLocked } from '../../../../session/calls/operation-locks.ts';
import { showToast } from '../../../../ui/toasts.ts';
import type { MailRowData } from '../../state/mail-cache.ts';
import { offerUndo } from '../../state/undo-change.ts';

/** Returns the sender of the newest message from another person, or null. */
export function senderOf(rows: readonly MailRowData[], ownAddresses: ReadonlySet<string>): string | null {
  const last = rows.findLast(({ mail }) => !mail.sent && !mail.draft && !mail.alert);
  const address = last?.opened.summary.from.address.toLowerCase() ?? '';
  return address === '' || ownAddresses.has(address) ? null : address;
}

/** This is a settings call, so no list waits for it. */
async function setBlocked(sender: string, value: boolean): Promise<void> {
  const { securityClient } = await loadChunk(
    'security-client',
    () => import('../../../../session/calls/clients/security.ts'),
  );
  await securityClient.block({ sender, value });
}

/**
 * Adds the sender to the block list and confirms it to the user. Rejects when the server refuses.
 */
export async function blockSender(sender: string): Promise<void> {
  await runLocked(t('Block sender'), sender, () => setBlocked(sender, true));
  offerUndo(t('{sender} is blocked. New messages from this sender go to Spam.', { sender }), () => {
    setBlocked(sender, false)
      .then(() => showToast({ tone: 'success', text: t('{sender} is no longer blocked', { sender }) }))
      .catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
  });
}
