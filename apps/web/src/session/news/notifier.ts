// Notifies of mail that arrives while the page is not visible: fetches new messages, opens their
// summaries in the key worker, and shows the senders. Subjects are not shown, because the system
// stores notifications. A separate chunk.
import { keys } from '../../crypto/key-client.ts';
import { t } from '../../lib/language.ts';
import { type Shown, showNotification } from '../../platform/notifications.ts';
import { mailClient } from '../calls/clients/mail.ts';
import { findUser } from '../state/current-user.ts';
import { isQuiet, isWorthNotifying, notificationChoices } from './notification-choices.ts';

/**
 * Maximum number of messages fetched, and of notifications shown, per arrival; beyond that, one
 * notification gives the number.
 */
const MAILS_MAX = 20;
const SHOWN_MAX = 3;

const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Messages already notified. */
const told = new Set<string>();

async function findWorthy(count: number) {
  const { data } = await mailClient.query({
    count: Math.min(count, MAILS_MAX),
    sent: false,
    draft: false,
    deleted: false,
    flagged: false,
    archived: false,
    read: false,
    view: 'summary',
  });
  const fresh = data.filter(({ id }) => !told.has(id));
  const user = findUser();
  const own = new Set([user?.email ?? '', ...(user?.addresses ?? [])].map(address => address.toLowerCase()));
  const choices = notificationChoices();
  return (await keys().openRows(fresh))
    .map(row => ({ ...row, isNotice: row.kind === 'alert' }))
    .filter(({ isNotice, summary }) =>
      isWorthNotifying(choices, { isNotice, to: summary.to.map(({ address }) => address) }, own),
    );
}

const toShown = ({
  id,
  isNotice,
  summary: { from },
}: Awaited<ReturnType<typeof findWorthy>>[number]): Shown => ({
  title: isNotice ? t('Security notice') : from.name || from.address,
  body: isNotice ? t('Something changed in your account.') : t('New message'),
  tag: id,
  target: isNotice ? '#/security' : `#/email/${encodeURIComponent(id)}`,
});

/**
 * Returns the text of a message's notification. Rejects when the message does not exist or cannot
 * be opened.
 */
export async function wordsOf(id: string): Promise<Pick<Shown, 'title' | 'body'>> {
  const { data } = await mailClient.some({ ids: [id], view: 'summary' });
  const [row] = await keys().openRows(data);
  if (row === undefined) throw new Error('It is not there');
  told.add(id);
  const { title, body } = toShown({ ...row, isNotice: row.kind === 'alert' });
  return { title, body };
}

/** Notifies of this many new messages, unless the page is visible or it is within quiet hours. */
export async function notifyOf(count: number): Promise<void> {
  const choices = notificationChoices();
  const isWanted = choices.newEmails || choices.mentions || choices.security;
  if (!isWanted || isLookedAt() || isQuiet(choices, new Date())) return;
  const worthy = await findWorthy(count);
  for (const { id } of worthy) told.add(id);
  if (worthy.length > SHOWN_MAX)
    await showNotification({
      title: 'Keyfold',
      body: t('{count, plural, one {# new message} other {# new messages}}', { count: worthy.length }),
      tag: 'many',
      target: '#/inbox',
    });
  else for (const mail of worthy) await showNotification(toShown(mail));
}
