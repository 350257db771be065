/**
 * The data counted per session with another server for the report that its domain requests (RFC
 * 8460): the policy applied, and what failed.
 */
import { z } from 'zod';

export const tlsResult = z.object({
  domain: z.string(),
  policy: z.object({
    type: z.enum(['no-policy-found', 'sts', 'tlsa']),
    /** The policy's lines, or its TLSA records. */
    strings: z.array(z.string()),
    /** Names of the mail servers in an MTA-STS policy. */
    mxHosts: z.array(z.string()),
  }),
  /** Null for a session that met its policy. */
  failure: z
    .object({
      /** RFC 8460 §4.3. */
      type: z.string(),
      sendingIp: z.string().optional(),
      receivingHost: z.string().optional(),
      receivingIp: z.string().optional(),
    })
    .nullable(),
});

export type TlsResult = z.output<typeof tlsResult>;
