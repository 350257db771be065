// Messages that wait for a connection: records what the user agreed to when pressing Send, and
// sends them automatically later. Keys are looked up again at that time; if a recipient's key has
// changed or is gone, the user is asked instead of sending. Pure except for sendWaiting.
import { t } from '../../../lib/language.ts';
import { randomId } from '../../../lib/random-id.ts';
import { isOfflineSession, rejoin } from '../../../session/session.ts';
import { sessionStatus } from '../../../session/state/session-state.ts';
import { forgetKeys } from '../../../session/trust/recipient-keys.ts';
import { isOffline } from './draft-sender.ts';
import type { DraftSession } from './draft-session.ts';
import {
  type Addressee,
  addresseesOf,
  type DraftState,
  findSendObstacle,
  isGoingOut,
  isUnknown,
  type Wait,
} from './draft-state.ts';
import { toRecipientView } from './draft-view.ts';
import type { SendRequest } from './send-request.ts';

const plain = 'plain';

const fateOf = ({ keys }: Addressee): string | null =>
  keys === null ? null : 'plaintext' in keys ? plain : keys.digest;

const addressOf = ({ person }: Addressee): string => person.address.toLowerCase();

/** Records the request to send this draft once that is possible. */
export const waitFor = (draft: DraftState, { copies, at }: SendRequest): Wait => ({
  inTwoCopies: copies === 2,
  at: at?.toISOString() ?? null,
  agreed: Object.fromEntries(
    addresseesOf(draft).flatMap(one => {
      const fate = fateOf(one);
      return fate === null ? [] : [[addressOf(one), fate]];
    }),
  ),
  sendKeys: [randomId(), randomId()],
  wasTried: false,
});

/**
 * Returns why the message must not be sent automatically, now that its keys are known; null when it
 * may.
 */
export function findObjection(draft: DraftState, { agreed }: Pick<Wait, 'agreed'>): string | null {
  for (const one of addresseesOf(draft)) {
    const fate = fateOf(one);
    const before = agreed[addressOf(one)];
    const { address } = one.person;
    if (isUnknown(one))
      return t('The address {address} doesn’t exist. Review the message and resend it.', { address });
    if (fate === plain && before !== plain)
      return t('{address} doesn’t support end-to-end encryption. Review the message and resend it.', {
        address,
      });
    const isOther = before !== undefined && before !== plain && before !== fate;
    if (toRecipientView(one).state === 'mismatch')
      return t('The safety number for {address} doesn’t match. Nothing was sent.', { address });
    if (isOther || toRecipientView(one).state === 'key_changed')
      return t('The key for {address} has changed. Review the message and resend it.', { address });
  }
  return findSendObstacle(draft);
}

/**
 * Sends a waiting message if possible; otherwise passes the reason for a review to `onObjection`.
 */
export async function sendWaiting(
  session: DraftSession,
  send: (request: SendRequest) => Promise<void>,
  onObjection: () => void,
): Promise<void> {
  if (isOfflineSession()) await rejoin();
  if (isOfflineSession() || sessionStatus() !== 'in') return;
  const people = addresseesOf(session.state());
  try {
    forgetKeys(people.map(({ person }) => person.address));
    await session.lookUp(people);
  } catch (error) {
    if (isOffline(error)) return;
    throw error;
  }
  // It may have been changed or withdrawn in the meantime.
  const { wait } = session.state();
  if (wait === null || isGoingOut(session.state().phase)) return;
  const objection = findObjection(session.state(), wait);
  if (objection !== null) {
    session.hold(null, objection);
    onObjection();
    return;
  }
  // An attempt whose response was lost may have sent the message, so it must not be saved as a
  // draft again.
  if (!wait.wasTried && session.state().save.kind !== 'saved') await session.saveNow();
  const at = wait.at === null ? null : new Date(wait.at);
  const isLater = at !== null && at.getTime() > Date.now();
  await send({ copies: wait.inTwoCopies ? 2 : 1, at: isLater ? at : null });
  if (session.state().sendError !== null) onObjection();
}
