// Finds the mail with the invitation of an event by its UID. The server knows no UIDs, so summaries are looked through from
// the newest on, and of those that are invitations the mail itself is opened.
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../../crypto/key-client.ts';
import { mailClient } from '../../session/calls/clients/mail.ts';
import { inviteQuery } from './invite-queries.ts';

/** Mails of one request, and requests; an event that people still ask for is not older than that. */
const PAGE_SIZE = 200;
const MAX_PAGES = 10;

/** The id of the newest mail about this event; null when there is none among the mails looked at. */
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
