/**
 * Input for a service whose stores fail: a file uploaded to a draft over HTTP, and a message over
 * SMTP, with the answer to each.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CallError } from '@keyfold/contract/client';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey, wrapForSelf } from '@keyfold/crypto/message';
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import type { TestUser } from '../harness/users.ts';

/**
 * Uploads a file to a new draft. Returns the status of the response and the id of the encrypted
 * blob. If the file precedes the form field that names its destination, the server stages it on
 * disk until it has read that field.
 */
export async function upload(user: TestUser, file: Uint8Array, isFileFirst = false): Promise<Uploaded> {
  try {
    return await uploadToDraft(user, file, isFileFirst);
  } catch (error) {
    if (error instanceof CallError) return { status: error.status, id: '', retryAfter: null };
    throw error;
  }
}

type Uploaded = { readonly status: number; readonly id: string; readonly retryAfter: string | null };

/** Encrypts a file as a client does. */
export function sealFile(sizeBytes: number): Promise<Uint8Array> {
  const meta = { name: 'plan.bin', type: 'application/octet-stream', size: sizeBytes };
  return sealWholeAttachment({
    messageKey: MESSAGE_KEY,
    fileKey: createFileKey(),
    meta,
    bytes: randomBytes(sizeBytes),
  });
}

const MESSAGE_KEY = createMessageKey();

async function uploadToDraft(
  { client, email, identity }: TestUser,
  file: Uint8Array,
  isFileFirst: boolean,
): Promise<Uploaded> {
  const nothing = createHash('sha256').update('').digest();
  const wrap = await wrapForSelf(MESSAGE_KEY, nothing, {
    email,
    sent_key: identity.sent_key,
    key_id: identity.key_id,
  });
  const draft = await client.sending.empty({
    key_used: wrap.key_used,
    encrypted_key: wrap.second_stage_key_encrypted,
    salt: wrap.salt,
  });
  const form = new FormData();
  const parts = [
    () => form.append('draft_id', draft.data.draft_id),
    () => form.append('file', new Blob([Uint8Array.from(file)]), 'blob'),
  ];
  for (const append of isFileFirst ? parts.toReversed() : parts) append();
  const reply = await client.fetch('/user/upload', { method: 'POST', body: form });
  const body = (await reply.json()) as { data?: { id?: string } };
  return { status: reply.status, id: body.data?.id ?? '', retryAfter: reply.headers.get('retry-after') };
}

/**
 * Delivers a message, with a file of `fileBytes` unless that is 0. Returns the code of the last
 * reply.
 */
export async function bring(smtpPort: number, to: string, fileBytes: number): Promise<number> {
  const client = await connectSmtp(smtpPort);
  try {
    await client.reply();
    await client.command('EHLO mx.outside.test');
    const raw = [
      'From: <writer@outside.test>',
      `To: <${to}>`,
      `Message-ID: <${randomBytes(12).toString('hex')}@outside.test>`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="edge"',
      '',
      '--edge',
      'Content-Type: text/plain',
      '',
      'Hello',
      ...(fileBytes === 0
        ? []
        : [
            '--edge',
            'Content-Type: application/octet-stream; name="a.bin"',
            'Content-Transfer-Encoding: base64',
            '',
            ...(randomBytes(fileBytes)
              .toString('base64')
              .match(/.{1,76}/g) ?? []),
          ]),
      '--edge--',
      '',
    ].join('\r\n');
    const answer = await deliver(client, { from: 'writer@outside.test', to: [to], raw: Buffer.from(raw) });
    return Number(answer.slice(0, 3));
  } finally {
    client.destroy();
  }
}
