/**
 * The data counted per arriving message for the report that its author's domain requests (RFC
 * 9990): the delivering machine and the verdicts, by domain only. Contains no address, subject or
 * recipient.
 */
import { z } from 'zod';

const verdict = z.enum(['fail', 'pass']);

export const dmarcResult = z.object({
  /** The domain whose record applies and which receives the reports. */
  policyDomain: z.string(),
  rua: z.string(),
  published: z.object({
    adkim: z.enum(['r', 's']),
    aspf: z.enum(['r', 's']),
    p: z.string(),
    sp: z.string(),
    np: z.string().optional(),
    testing: z.boolean(),
  }),
  sourceIp: z.string(),
  headerFrom: z.string(),
  /** Empty for a bounce. */
  envelopeFrom: z.string(),
  /** Whether the identifiers align and pass. */
  evaluated: z.object({ dkim: verdict, spf: verdict }),
  dkim: z.array(z.object({ domain: z.string(), selector: z.string(), result: z.string() })),
  spf: z.object({ domain: z.string(), scope: z.enum(['helo', 'mfrom']), result: z.string() }),
});

export type DmarcResult = z.output<typeof dmarcResult>;
