// The one typed client of the server's calls. A 401 of any call but those that ask for a session tells the session that
// it is over; everything else is left to whoever called.
import { api } from '@keyfold/contract';
import { type CallReply, type CallRequest, createClient } from '@keyfold/contract/client';
import { send } from '../platform/transport.ts';

const listeners = new Set<() => void>();

/** Calls `listener` whenever the server says that nobody is logged in. Returns the way to stop. */
export function onSessionLost(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function sendAndWatch(request: CallRequest): Promise<CallReply> {
  const reply = await send(request);
  if (reply.status === 401 && !request.call.path.startsWith('/auth/')) {
    for (const listener of listeners) listener();
  }
  return reply;
}

export const client = createClient(api, sendAndWatch);
