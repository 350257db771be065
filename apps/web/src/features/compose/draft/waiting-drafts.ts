// Letters that wait for a connection: what was agreed to when somebody pressed Send, and sending them by themselves later.
// Keys are asked for anew then; whoever gets another key, or none, is asked about instead of sent to. Pure but for sendWaiting.
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

/** The wish to send this letter once that is possible. */
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

/** Why the letter must not go by itself, now that its keys are known; null when it may. */
export function findObjection(draft: DraftState, { agreed }: Pick<Wait, 'agreed'>): string | null {
  for (const one of addresseesOf(draft)) {
    const fate = fateOf(one);
    const before = agreed[addressOf(one)];
    const { address } = one.person;
    if (isUnknown(one))
      return t('Nobody has the address {address}. Look at the message and send it again', { address });
    if (fate === plain && before !== plain)
      return t('{address} gets no end-to-end encryption. Look at the message and send it again', { address });
    const isOther = before !== undefined && before !== plain && before !== fate;
    if (toRecipientView(one).state === 'mismatch')
      return t('The safety number of {address} does not match. Nothing was sent', { address });
    if (isOther || toRecipientView(one).state === 'key_changed')
      return t('The key of {address} has changed. Look at the message and send it again', { address });
  }
  return findSendObstacle(draft);
}

/** Sends a waiting letter if that is possible now; `onObjection` hears why somebody has to look at it first. */
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
  // It may have been changed or taken back meanwhile.
  const { wait } = session.state();
  if (wait === null || isGoingOut(session.state().phase)) return;
  const objection = findObjection(session.state(), wait);
  if (objection !== null) {
    session.hold(null, objection);
    onObjection();
    return;
  }
  // What a try has sent, whose answer was lost, is no draft any more and must not become one.
  if (!wait.wasTried && session.state().save.kind !== 'saved') await session.saveNow();
  const at = wait.at === null ? null : new Date(wait.at);
  const isLater = at !== null && at.getTime() > Date.now();
  await send({ copies: wait.inTwoCopies ? 2 : 1, at: isLater ? at : null });
  if (session.state().sendError !== null) onObjection();
}
