/**
 * How a service that lacks something answers, and how soon: a call over HTTP, and a recipient over SMTP.
 */
import { connectSmtp } from '@keyfold/testing/smtp';
import { expect } from 'vitest';
import type { TestClient } from '../harness/client.ts';

export type Answered = { readonly code: number; readonly ms: number };

/** Answers to many questions: the codes that came, and the longest time in milliseconds. */
export const summaryOf = (
  answers: readonly Answered[],
): { readonly codes: number[]; readonly maxMs: number } => ({
  codes: [...new Set(answers.map(({ code }) => code))].sort((a, b) => a - b),
  maxMs: Math.round(Math.max(0, ...answers.map(({ ms }) => ms))),
});

/** Asks who is signed in; a 503 must be one that a client can work with. */
export async function askHttp(client: TestClient): Promise<Answered> {
  const startedAt = performance.now();
  const reply = await client.fetch('/auth/check');
  const body = await reply.json();
  const ms = performance.now() - startedAt;
  if (reply.status === 503) {
    expect(body).toMatchObject({ success: false, code: 'unavailable' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return { code: reply.status, ms };
}

/** Offers mail for an address, and takes it back. */
export async function askSmtp(port: number, address: string): Promise<Answered> {
  const client = await connectSmtp(port);
  try {
    await client.reply();
    await client.command('EHLO mx.outside.test');
    await client.command('MAIL FROM:<writer@outside.test>');
    const startedAt = performance.now();
    const reply = await client.command(`RCPT TO:<${address}>`);
    return { code: Number(reply.slice(0, 3)), ms: performance.now() - startedAt };
  } finally {
    client.destroy();
  }
}
