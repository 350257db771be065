// Seeds two accounts with some mail for `npm run dev`: alice and bob at the service's first domain,
// with the password that is printed. Accounts are created through the API as the web client does
// it; mail arrives over SMTP. For development only: the server must have its robot check off. A
// server that already has alice is left unchanged.
import process from 'node:process';
import { api } from '@keyfold/contract';
import { CallError, type CallReply, type CallRequest, createClient } from '@keyfold/contract/client';
import { deriveLoginHash } from '@keyfold/crypto/login';
import { createIdentity, deriveVaultKey, lockVault } from '@keyfold/crypto/vault';
import { connectSmtp, deliver } from './smtp.ts';

const password = 'Keyfold-dev-1';
const people = [
  { name: 'Alice Almeida', username: 'alice' },
  { name: 'Bob Brandt', username: 'bob' },
] as const;

const messages = [
  [
    'Ines Costa <ines@harbour.example>',
    'Lisbon offsite: rooms and dinner',
    'Everything is booked. Dinner is on Thursday at eight.',
  ],
  [
    'Deutsche Bahn <noreply@bahn.example>',
    'Your booking confirmation',
    'Order 882 310 771. Please keep this mail.',
  ],
  [
    'Tomasz Wilk <tomasz@other.example>',
    'Key rotation plan',
    'Agreed on wrapping the second stage key. More tomorrow.',
  ],
] as const;

const sendTo =
  (baseUrl: string) =>
  async (request: CallRequest): Promise<CallReply> => {
    const response = await fetch(baseUrl + request.path, {
      method: request.method,
      headers: { ...request.headers, origin: baseUrl },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return { status: response.status, retryAfter: null, json: await response.json() };
  };

async function register(baseUrl: string, domain: string, person: (typeof people)[number]): Promise<boolean> {
  const email = `${person.username}@${domain}`;
  const mainKey = await lockVault(await deriveVaultKey(password, email), await createIdentity());
  try {
    await createClient(api, sendTo(baseUrl)).sign_up.register({
      ...person,
      domain,
      password: await deriveLoginHash(password, email),
      captcha: '',
      main_key: mainKey,
    });
    return true;
  } catch (error) {
    if (error instanceof CallError && error.code === 'address_taken') return false;
    throw error;
  }
}

async function deliverMessages(smtpPort: number, to: string): Promise<void> {
  const client = await connectSmtp(smtpPort);
  await client.reply();
  await client.command('EHLO localhost');
  for (const [index, [from, subject, text]] of messages.entries()) {
    const id = `<seed.${index}.${Date.now()}@other.example>`;
    const raw = `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: ${id}\r\nDate: ${new Date().toUTCString()}\r\n\r\n${text}\r\n`;
    await deliver(client, { from: /<(.+)>/.exec(from)?.[1] ?? '', to: [to], raw });
  }
  client.destroy();
}

/** Creates what is missing and returns the lines to print. Rejects when the server refuses. */
export async function seed(baseUrl: string, smtpPort: number): Promise<string> {
  const { data: domains } = await createClient(api, sendTo(baseUrl)).sign_up.domains({});
  const [domain = ''] = domains;
  for (const person of people) {
    if (await register(baseUrl, domain, person))
      await deliverMessages(smtpPort, `${person.username}@${domain}`);
  }
  return `Sign in as ${people.map(({ username }) => `${username}@${domain}`).join(' or ')} with ${password}`;
}

if (import.meta.main) {
  const [baseUrl = '', smtpPort = ''] = process.argv.slice(2);
  process.stdout.write(`${await seed(baseUrl, Number(smtpPort))}\n`);
}
