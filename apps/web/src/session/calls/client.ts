// The transport of every typed client. A 401 of any call, except those that request a session, ends
// the session. On devices that stay signed in, responses with mail are cached sealed and used when
// the server does not answer.
import type { Call, CallTable } from '@keyfold/contract';
import { mailCalls } from '@keyfold/contract/calls/mail';
import { type CallReply, type CallRequest, createGroupClient } from '@keyfold/contract/client';
import { keys } from '../../crypto/key-client.ts';
import { t } from '../../lib/language.ts';
import { send } from '../../platform/transport.ts';
import { showToast } from '../../ui/toasts.ts';
import { keepsMail } from '../state/offline-account.ts';
import { endText } from './end-words.ts';
import { setAnswering } from './reachability.ts';

type LossListener = (why?: string) => void;

const listeners = new Set<LossListener>();

/**
 * Calls `listener` whenever the server reports that no user is signed in, or why the session ended.
 * Returns an unsubscribe function.
 */
export function onSessionLost(listener: LossListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notifies all listeners that the server has ended the session. */
export const tellSessionLost: LossListener = why => {
  for (const listener of listeners) listener(why);
};

/** Calls whose responses are useful offline: mail, and what is shown around it. */
const keptCalls: ReadonlySet<string> = new Set([
  mailCalls.query.path,
  mailCalls.one.path,
  mailCalls.some.path,
  mailCalls.counts.path,
  // From calls/signatures.ts, which is loaded later.
  '/user/signatures',
]);

const questionOf = ({ method, path, body = '' }: CallRequest): string => `${method} ${path} ${body}`;

const isKept = ({ call }: CallRequest): boolean => keptCalls.has(call.path) && keepsMail();

async function findKept(request: CallRequest): Promise<CallReply | null> {
  const json = await keys().findAnswer(questionOf(request));
  return json === null ? null : { status: 200, json, retryAfter: null };
}

async function sendOrRecall(request: CallRequest): Promise<CallReply> {
  try {
    const reply = await send(request);
    setAnswering(true);
    if (reply.status === 200 && isKept(request)) {
      keys()
        .keepAnswer(questionOf(request), reply.json)
        .catch(() => undefined);
    }
    return reply;
  } catch (error) {
    const isCanceled = (request.options.signal as AbortSignal | undefined)?.aborted === true;
    if (isCanceled) throw error;
    setAnswering(false);
    const kept = isKept(request) ? await findKept(request).catch(() => null) : null;
    if (kept === null) throw error;
    return kept;
  }
}

async function sendAndWatch(request: CallRequest): Promise<CallReply> {
  const reply = await sendOrRecall(request);
  if (reply.status === 401 && !request.call.path.startsWith('/auth/'))
    tellSessionLost(endText((reply.json as { errors?: unknown } | null)?.errors));
  return reply;
}

const toldOf = new Set<string>();

/**
 * Some lists, such as those of messages, show the failed rows themselves; for others, the number of
 * missing rows is reported once.
 */
function tellBadRows({ path }: Call, _: number, count: number): void {
  if (count === 0 || toldOf.has(path)) return;
  toldOf.add(path);
  showToast({
    tone: 'danger',
    text: t(
      '{count, plural, one {# entry couldn’t be read and isn’t shown} other {# entries couldn’t be read and aren’t shown}}',
      { count },
    ),
  });
}

/**
 * Returns the typed client of a group of calls. Each is created where its group is imported, so
 * that a chunk includes only the groups it calls. Clients shared by several modules are in
 * clients/.
 */
/*#__NO_SIDE_EFFECTS__*/
export const clientOf = <G extends CallTable[string]>(calls: G) =>
  createGroupClient(calls, sendAndWatch, tellBadRows);
