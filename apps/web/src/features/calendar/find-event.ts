// Finds the message with the invitation to an event by its UID. The server knows no UIDs, so the
// client searches the summaries, newest first, and opens the messages that are invitations.
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../crypto/key-client.ts';
import { mailClient } from '../../session/calls/clients/mail.ts';
import { inviteQuery } from './invite-queries.ts';

/**
 * Messages per request, and maximum number of requests; an event that users still look for is not
 * older than that.
 */
const PAGE_SIZE = 200;
const MAX_PAGES = 10;

/**
 * Returns the ID of the newest message about this event; null if none of the searched messages is
 * about it.
 */
export async function findEventMail(cache: QueryClient, uid: string): Promise<string | null> {
  let lastId: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data } = await mailClient.query({
      count: PAGE_SIZE,
      view: 'summary',
      deleted: false,
      ...(lastId === undefined ? {} : { last_id: lastId }),
    });
    const rows = await keys().openRows(data);
    for (const { id, summary } of rows) {
      if (!summary.invite) continue;
      const { invite } = await cache.fetchQuery(inviteQuery(id));
      if (invite?.read.kind === 'read' && invite.read.invitation.uid === uid) return id;
    }
    lastId = data.at(-1)?.id;
    if (data.length < PAGE_SIZE) return null;
  }
  return null;
}
