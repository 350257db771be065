/**
 * Mail servers that deliver to the product: messages of ten bytes to megabytes for one to five
 * recipients, or as varied as the reliability goals demand, to 25 MB and for one to twenty.
 * Unanswered deliveries are repeated later, as real servers do. A few servers hang up before the
 * answer, and a few never retry.
 */
import { asData, connectSmtp, deliver, type SmtpClient } from '@keyfold/testing/smtp';
import type { TestUser } from '../harness/users.ts';
import { count, type Entry, idOf, type Ledger, note } from './ledger.ts';
import type { SeededRandom } from './seeded-random.ts';

export type Delivery = {
  readonly entry: Entry;
  readonly raw: Buffer;
  readonly to: readonly string[];
  /**
   * Ends the connection once, this long after the last byte and before the answer; null waits for
   * the answer.
   */
  hangsUpAfterMs: number | null;
  /** Whether an unanswered delivery is retried. */
  readonly isPatient: boolean;
};

const SENDER = 'writer@outside.test';
const KIB = 1024;
/** Number of messages per hundred, and the size of their texts in bytes. */
const SIZES = [
  { upTo: 50, min: 100, max: 4 * KIB },
  { upTo: 78, min: 4 * KIB, max: 64 * KIB },
  { upTo: 93, min: 64 * KIB, max: KIB * KIB },
  { upTo: 100, min: KIB * KIB, max: 4 * KIB * KIB },
] as const;
/** Range of message sizes and recipient counts in a load. */
export type Breadth = {
  readonly recipientsMax: number;
  /** Number of messages per thousand that have a file of 4 MB up to this size. */
  readonly largePerThousand: number;
};
export const ORDINARY: Breadth = { recipientsMax: 5, largePerThousand: 0 };
export const WIDE: Breadth = { recipientsMax: 20, largePerThousand: 7 };
/** Size of the files in these messages: in base64 with line ends, the largest makes 25 MB. */
const LARGE_FILE = { min: 4 * KIB * KIB, max: 18 * KIB * KIB } as const;
const FILE_MAX_BYTES = 400 * KIB;
/**
 * Most messages have few recipients: this share has any number of them, the rest as many as in an
 * ordinary load.
 */
const FOR_MANY = 0.15;
const LINE_BYTES = 57;
const RETRY_PAUSE_MS = 50;

/** Returns lines of base64. Some begin with a dot, which SMTP doubles. */
function textOf(random: SeededRandom, sizeBytes: number): string {
  const lines = random.bytes(Math.ceil((sizeBytes * 3) / 4)).toString('base64');
  const pieces: string[] = [];
  for (let at = 0; at < lines.length; at += LINE_BYTES)
    pieces.push(`${random.chance(0.02) ? '.' : ''}${lines.slice(at, at + LINE_BYTES)}\r\n`);
  return pieces.join('');
}

function fileOf(random: SeededRandom, index: number, sizeBytes: number): string {
  const content = random.bytes(sizeBytes).toString('base64');
  return [
    '--edge',
    `Content-Type: application/octet-stream; name="file ${index}.bin"`,
    `Content-Disposition: attachment; filename="file ${index}.bin"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(content.match(/.{1,76}/g) ?? []),
    '',
  ].join('\r\n');
}

function makeRaw(random: SeededRandom, to: readonly string[], breadth: Breadth): string {
  const share = random.int(1, 100);
  const size = SIZES.find(one => share <= one.upTo) ?? SIZES[0];
  const text = textOf(random, random.int(size.min, size.max));
  const head = [
    `From: Writer <${SENDER}>`,
    `To: ${to.join(', ')}`,
    `Subject: ${random.bytes(12).toString('hex')}`,
    `Message-ID: <${random.bytes(16).toString('hex')}@outside.test>`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
  ].join('\r\n');
  const isLarge = random.chance(breadth.largePerThousand / 1000);
  if (!isLarge && !random.chance(0.3)) return `${head}\r\nContent-Type: text/plain\r\n\r\n${text}`;
  const files = isLarge
    ? fileOf(random, 0, random.int(LARGE_FILE.min, LARGE_FILE.max))
    : Array.from({ length: random.int(1, 3) }, (_, index) =>
        fileOf(random, index, random.int(1, FILE_MAX_BYTES)),
      ).join('');
  return `${head}\r\nContent-Type: multipart/mixed; boundary="edge"\r\n\r\n--edge\r\nContent-Type: text/plain\r\n\r\n${text}\r\n${files}--edge--\r\n`;
}

/** Creates messages and records them in the ledger. */
export const makeDeliveries = (
  random: SeededRandom,
  ledger: Ledger,
  users: readonly TestUser[],
  total: number,
  breadth: Breadth = ORDINARY,
): Delivery[] =>
  Array.from({ length: total }, () => {
    const most = random.chance(FOR_MANY) ? breadth.recipientsMax : ORDINARY.recipientsMax;
    const to = random.sample(users, random.int(1, most)).map(({ email }) => email);
    // Ten bytes are too short for a Message-ID, which identifies a repeated delivery, so these are
    // never repeated.
    const isTiny = random.chance(0.1);
    const raw = Buffer.from(
      isTiny ? `${random.bytes(4).toString('hex')}\r\n` : makeRaw(random, to, breadth),
      'latin1',
    );
    note(ledger.tally, 'largest bytes', raw.length);
    note(ledger.tally, 'most recipients', to.length);
    return {
      entry: ledger.add({ id: idOf(raw), boxes: to, mark: '', outside: [] }),
      raw,
      to,
      hangsUpAfterMs: !isTiny && random.chance(0.1) ? random.int(0, 60) : null,
      isPatient: !isTiny && !random.chance(0.1),
    };
  });

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Delivers and disconnects before the answer, possibly before the last byte. */
async function hangUp(client: SmtpClient, { to, raw }: Delivery, afterMs: number): Promise<void> {
  for (const line of [`MAIL FROM:<${SENDER}>`, ...to.map(address => `RCPT TO:<${address}>`), 'DATA'])
    await client.command(line);
  client.send(asData(raw));
  await pause(afterMs);
  client.destroy();
}

/**
 * Runs one connection that delivers from the queue until it is empty, the server is gone or
 * `isOver`. Unanswered deliveries go back to the end of the queue unless their sender gives up.
 */
export async function runDeliveries(
  port: number,
  queue: Delivery[],
  ledger: Ledger,
  isOver: () => boolean,
): Promise<void> {
  const { tally } = ledger;
  const onSilence = (delivery: Delivery): void => {
    count(tally, 'deliveries without an answer');
    if (delivery.isPatient) queue.push(delivery);
    else delivery.entry.fate = 'given up';
  };
  while (!isOver() && queue.length > 0) {
    let client: SmtpClient;
    try {
      client = await connectSmtp(port);
    } catch {
      return;
    }
    let current: Delivery | undefined;
    try {
      await client.reply();
      await client.command('EHLO mx.outside.test');
      while (!isOver()) {
        current = queue.shift();
        if (current === undefined) break;
        if (current.hangsUpAfterMs !== null) {
          const afterMs = current.hangsUpAfterMs;
          current.hangsUpAfterMs = null;
          await hangUp(client, current, afterMs);
          throw new Error('Hung up');
        }
        const answer = await deliver(client, { from: SENDER, to: current.to, raw: current.raw });
        if (answer.startsWith('250')) {
          current.entry.fate = 'acknowledged';
          count(tally, 'deliveries acknowledged');
        } else if (answer.startsWith('4')) {
          count(tally, `deliveries deferred with ${answer.slice(0, 9)}`);
          queue.push(current);
          await pause(RETRY_PAUSE_MS);
        } else throw new Error(`A delivery was refused: ${answer}`, { cause: 'refused' });
        current = undefined;
      }
    } catch (error) {
      if ((error as Error).cause === 'refused') throw error;
      if (current !== undefined) onSilence(current);
    } finally {
      client.destroy();
    }
  }
}
