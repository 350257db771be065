/** Probes the answers and latency of an impaired service: an HTTP call and an SMTP recipient. */
import { connectSmtp } from '@keyfold/testing/smtp';
import { expect } from 'vitest';
import type { TestClient } from '../harness/client.ts';

export type Answered = { readonly code: number; readonly ms: number };

/** Summarizes the answers to several probes: their codes, and the longest time in milliseconds. */
export const summaryOf = (
  answers: readonly Answered[],
): { readonly codes: number[]; readonly maxMs: number } => ({
  codes: [...new Set(answers.map(({ code }) => code))].sort((a, b) => a - b),
  maxMs: Math.round(Math.max(0, ...answers.map(({ ms }) => ms))),
});

/** Queries the signed-in user. A 503 must be one that a client can handle. */
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

/** Offers a message for an address, then resets the transaction. */
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
