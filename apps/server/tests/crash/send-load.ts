/**
 * Users who send encrypted messages to each other and to outside recipients, some with an
 * attachment. A send without an answer is repeated with the same key and the same request, as the
 * web client does. A few are sent twice at once, a few are never repeated. Many are held for a
 * second, so that kills coincide with their release.
 */
import { createHash } from 'node:crypto';
import { CallError } from '@keyfold/contract/client';
import { createFileKey, sealWholeAttachment } from '@keyfold/crypto/attachment';
import { createMessageKey, encodeBase64, wrapForSelf } from '@keyfold/crypto/message';
import { composeMessage } from '@keyfold/mail/mime/compose';
import { reattach } from '@keyfold/mail/mime/reattach';
import { composeInner, type SendRequest, sealTestMessage } from '../harness/sending.ts';
import type { TestUser } from '../harness/users.ts';
import { count, type Entry, idOf, type Ledger } from './ledger.ts';
import type { SeededRandom } from './seeded-random.ts';

export type Answer = { readonly id: string; readonly message_id: string };

export type Send = {
  readonly sender: TestUser;
  readonly key: string;
  readonly to: readonly TestUser[];
  readonly outside: readonly string[];
  readonly text: string;
  readonly mark: string;
  /** Content of its attachment, which is uploaded first. */
  readonly file: Buffer | null;
  /** Seconds for which the message is held before it is sent. */
  readonly undoSeconds: number;
  readonly isDoubled: boolean;
  readonly isPatient: boolean;
  /** Created once and repeated unchanged. */
  made: { readonly entry: Entry; readonly request: SendRequest } | null;
  answer: Answer | null;
};

const KIB = 1024;
const RETRY_PAUSE_MS = 50;

const messagesOf = ({ sender, to, outside, text }: Send) => ({
  to: [...to, ...outside],
  subject: 'Sealed',
  text,
  payload: composeInner(sender, { to: [...to, ...outside], subject: 'Sealed', text }),
});

const note = (ledger: Ledger, { sender, to, outside, mark }: Send, seen: Uint8Array): Entry =>
  ledger.add({ id: idOf(seen), boxes: [sender.email, ...to.map(({ email }) => email)], mark, outside });

/** Plans sends and encrypts those without an attachment. */
export async function makeSends(
  random: SeededRandom,
  ledger: Ledger,
  users: readonly TestUser[],
  total: number,
): Promise<Send[]> {
  const sends: Send[] = [];
  while (sends.length < total) {
    const [sender, ...to] = random.sample(users, random.int(2, 4));
    if (sender === undefined) throw new Error('Nobody sends');
    const isOutgoing = random.chance(0.2);
    const mark = random.bytes(16).toString('hex');
    const hasFile = !isOutgoing && random.chance(0.25);
    const plan: Send = {
      sender,
      key: random.bytes(16).toString('hex'),
      to,
      outside: isOutgoing
        ? Array.from({ length: random.int(1, 2) }, (_, index) => `friend${index}.${mark}@outside.test`)
        : [],
      text: `${mark} ${random.bytes(random.int(1, random.chance(0.1) ? 300 * KIB : 2 * KIB)).toString('hex')}`,
      mark,
      file: hasFile ? random.bytes(random.int(1, 600 * KIB)) : null,
      undoSeconds: random.chance(0.4) ? 1 : 0,
      isDoubled: random.chance(0.1),
      isPatient: !random.chance(0.15),
      made: null,
      answer: null,
    };
    if (!hasFile) {
      const message = messagesOf(plan);
      plan.made = {
        request: { ...(await sealTestMessage(sender, message)), undo_seconds: plan.undoSeconds },
        entry: note(ledger, plan, Buffer.from(message.payload)),
      };
    }
    sends.push(plan);
  }
  return sends;
}

/** Stores the file in a new draft, then encrypts the message that refers to it. */
async function makeWithFile(ledger: Ledger, plan: Send, file: Buffer): Promise<Send['made']> {
  const { sender, to, text } = plan;
  const messageKey = createMessageKey();
  const fileKey = createFileKey();
  const nothing = createHash('sha256').update('').digest();
  const wrap = await wrapForSelf(messageKey, nothing, {
    email: sender.email,
    sent_key: sender.identity.sent_key,
    key_id: sender.identity.key_id,
  });
  const draft = await sender.client.sending.empty({
    key_used: wrap.key_used,
    encrypted_key: wrap.second_stage_key_encrypted,
    salt: wrap.salt,
  });
  const { draft_id } = draft.data;
  const meta = { name: 'plan.bin', type: 'application/octet-stream', size: file.length };
  const container = await sealWholeAttachment({ messageKey, fileKey, meta, bytes: file });
  const { data: stored } = await sender.client.sending.upload({ draft_id }, { file: new Blob([container]) });
  const payload = composeMessage({
    from: { name: sender.user.name, address: sender.email },
    to: to.map(({ email }) => ({ name: '', address: email })),
    subject: 'Sealed',
    date: new Date(),
    messageId: '<inner@client.invalid>',
    text,
    files: [
      {
        filename: meta.name,
        mimeType: meta.type,
        content: { id: stored.id, key: encodeBase64(fileKey), sizeBytes: file.length },
      },
    ],
  });
  const request = await sealTestMessage(sender, {
    to,
    subject: 'Sealed',
    payload,
    messageKey,
    attachments: 1,
  });
  const seen = await reattach(payload, async () => file);
  return {
    request: { ...request, draft_id, undo_seconds: plan.undoSeconds },
    entry: note(ledger, plan, seen),
  };
}

/** Sends or resends. The answer is the same every time. */
export async function post({ sender, key, made }: Send): Promise<Answer> {
  if (made === null) throw new Error('There is nothing to send');
  const headers = { 'idempotency-key': key };
  return (await sender.client.sending.send_private(made.request, { headers })).data;
}

async function sendOnce(ledger: Ledger, plan: Send): Promise<void> {
  if (plan.made === null && plan.file !== null) plan.made = await makeWithFile(ledger, plan, plan.file);
  const { made } = plan;
  if (made === null) throw new Error('There is nothing to send');
  const attempts = plan.isDoubled ? [post(plan), post(plan)] : [post(plan)];
  const results = await Promise.allSettled(attempts);
  const answers = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
  for (const answer of answers) {
    plan.answer ??= answer;
    made.entry.fate = 'acknowledged';
    if (answer.id !== plan.answer.id || answer.message_id !== plan.answer.message_id)
      throw new Error('One send was answered in two ways');
  }
  if (answers.length === 0) throw (results[0] as PromiseRejectedResult).reason;
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Acts as one user's tab: sends the queue until it is empty or `isOver`. Returns the answered
 * sends.
 */
export async function runSends(queue: Send[], ledger: Ledger, isOver: () => boolean): Promise<Send[]> {
  const answered: Send[] = [];
  while (!isOver()) {
    const plan = queue.shift();
    if (plan === undefined) break;
    try {
      await sendOnce(ledger, plan);
      count(ledger.tally, 'sends acknowledged');
      answered.push(plan);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // No answer, 502 from a load balancer whose node is gone, and 503 while the database is
      // unavailable all mean that the same request may be repeated.
      if (![0, 502, 503].includes(error.status)) throw error;
      count(ledger.tally, error.status === 503 ? 'sends answered with 503' : 'sends without an answer');
      if (plan.isPatient || plan.made === null) queue.push(plan);
      else plan.made.entry.fate = 'given up';
      await pause(RETRY_PAUSE_MS);
    }
  }
  return answered;
}
