/**
 * Reads every mailbox as its owner's client does, decrypts new messages and their attachments with
 * the owner's keys, and compares them with the ledger. Messages already decrypted are decrypted
 * again only when `isThorough`.
 */
import { openWholeAttachment } from '@keyfold/crypto/attachment';
import { createOpener } from '@keyfold/crypto/opener';
import { reattach } from '@keyfold/mail/mime/reattach';
import type { TestUser } from '../harness/users.ts';
import { count, findBrokenPromises, idOf, type Ledger } from './ledger.ts';

const PAGE_MAILS = 200;
const AT_ONCE = 4;

/** Returns the ids of all messages of a user except drafts. */
async function listMails({ client, email }: TestUser): Promise<string[]> {
  const ids: string[] = [];
  let lastId: string | undefined;
  let seen = 0;
  for (;;) {
    const page = await client.mail.query({
      count: PAGE_MAILS,
      view: 'summary',
      ...(lastId === undefined ? {} : { last_id: lastId }),
    });
    ids.push(...page.data.filter(mail => !mail.draft).map(mail => mail.id));
    seen += page.data.length;
    lastId = page.data.at(-1)?.id;
    if (page.data.length < PAGE_MAILS) {
      if (seen !== page.count) throw new Error(`${email} has ${seen} mails and a count of ${page.count}`);
      return ids;
    }
  }
}

export type Mailboxes = {
  /** Throws with a list of messages that were lost, duplicated, damaged or never sent. */
  readonly check: (isThorough: boolean) => Promise<void>;
};

export function createMailboxes(users: readonly TestUser[], ledger: Ledger): Mailboxes {
  const opened = new Map<string, string>();

  const openAll = async (user: TestUser, mailIds: readonly string[]): Promise<void> => {
    const opener = await createOpener(user.identity);
    const left = [...mailIds];
    const openNext = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const { data: mail } = await user.client.mail.one({ id });
        const { payload } = await opener.open({ ...mail, body: mail.body ?? '' });
        let files = 0;
        const seen = await reattach(payload, async file => {
          files++;
          const { bytes } = (await user.client.sending.attachment({ id: file.id })) as unknown as {
            readonly bytes: Uint8Array;
          };
          return openWholeAttachment(Buffer.from(file.key, 'base64'), bytes);
        });
        if (files !== mail.attachments.length)
          throw new Error(`A mail of ${user.email} refers to ${files} files and has others`);
        opened.set(`${user.email} ${id}`, idOf(seen));
        count(ledger.tally, 'mails opened');
        count(ledger.tally, 'attachments opened', files);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, openNext));
    opener.close();
  };

  return {
    check: async isThorough => {
      const broken: string[] = [];
      let copies = 0;
      for (const user of users) {
        const mailIds = await listMails(user);
        copies += mailIds.length;
        await openAll(user, isThorough ? mailIds : mailIds.filter(id => !opened.has(`${user.email} ${id}`)));
        const found = new Map<string, number>();
        for (const id of mailIds) {
          const digest = opened.get(`${user.email} ${id}`) ?? '';
          found.set(digest, (found.get(digest) ?? 0) + 1);
        }
        broken.push(...findBrokenPromises(ledger, user.email, found));
      }
      ledger.tally.set('copies found', copies);
      if (broken.length > 0) throw new Error(broken.join('\n'));
    },
  };
}
