/** A message that a client imports, encrypted only for its own user. */
import { createMessageKey, sealMessage } from '@keyfold/crypto/message';
import { selfOf, type TestUser } from './users.ts';

type Message = Parameters<TestUser['client']['imports']['seal']>[0]['messages'][number];

/** `rest` overrides the default fields. */
export async function sealImported(
  user: TestUser,
  messageId: string,
  rest: Partial<Message> = {},
  text = 'Subject: Old\r\n\r\nOld words',
): Promise<Message> {
  const made = await sealMessage({
    payload: Buffer.from(text),
    messageKey: createMessageKey(),
    recipients: [],
    self: selfOf(user),
    summary: {
      subject: 'Old',
      from: { name: 'Gus', address: 'gus@outside.test' },
      to: [],
      cc: [],
      date: '2019-01-01T00:00:00.000Z',
      snippet: text,
      attachments: 0,
      invite: false,
    },
  });
  if (made.self === null || made.summary === null) throw new Error('no own entry');
  return {
    body: made.message_encrypted,
    summary: made.summary,
    encrypted_key: made.self.second_stage_key_encrypted,
    salt: made.self.salt,
    key_used: made.self.key_used,
    headers: `From: Gus <gus@outside.test>\r\nTo: ${user.email}\r\nMessage-ID: <${messageId}>\r\n`,
    received_at: '2019-01-01T00:00:00Z',
    flags: {},
    ...rest,
  };
}
