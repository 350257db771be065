// Blocks the sender of an open conversation: new mail from there arrives in Spam. Can be taken back (docs/spec-map.md 3;
// docs/interface.md#states).
import { t } from '../../../../lib/language.ts';
import { loadChunk } from '../../../../lib/load-chunk.ts';
import { callErrorText } from '../../../../session/calls/error-text.ts';
import { runLocked } from '../../../../session/calls/operation-locks.ts';
import { showToast } from '../../../../ui/toasts.ts';
import type { MailRowData } from '../../state/mail-cache.ts';
import { offerUndo } from '../../state/undo.ts';

/** Who wrote the newest mail that came from somebody else; null when nobody did. */
export function senderOf(rows: readonly MailRowData[], ownAddresses: ReadonlySet<string>): string | null {
  const last = rows.findLast(({ mail }) => !mail.sent && !mail.draft && !mail.alert);
  const address = last?.opened.summary.from.address.toLowerCase() ?? '';
  return address === '' || ownAddresses.has(address) ? null : address;
}

/** The call is one of the settings', which no list waits for. */
async function setBlocked(sender: string, value: boolean): Promise<void> {
  const { securityClient } = await loadChunk(
    'security-client',
    () => import('../../../../session/calls/clients/security.ts'),
  );
  await securityClient.block({ sender, value });
}

/** Puts the sender on the list of blocked ones and says so. Rejects when the server refuses. */
export async function blockSender(sender: string): Promise<void> {
  await runLocked(t('Block sender'), sender, () => setBlocked(sender, true));
  offerUndo(t('{sender} is blocked. New mail from there arrives in Spam.', { sender }), () => {
    setBlocked(sender, false)
      .then(() => showToast({ tone: 'success', text: t('{sender} is not blocked any more', { sender }) }))
      .catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
  });
}
