/**
 * The operator's settings for mail transfer between servers, except the addresses and ports in
 * config.ts. Base layer: makes no network or database calls.
 */
import { z } from 'zod';
import { isNetworkText } from './networks.ts';

export type TransferConfig = {
  /** Whether TLSA records are honored if a resolver on this machine validates them. */
  readonly isDaneUsed: boolean;
  /** Whether greylisting is on: senders that were never seen are deferred. */
  readonly isGreylistOn: boolean;
  /** Maximum messages per minute from one network; 0 = unlimited. */
  readonly arrivalsPerMinute: number;
  /** Addresses and networks that are exempt from rate limits and greylisting. */
  readonly mailGateways: readonly string[];
  /** Whether domains that ask for DMARC reports receive a daily report on their mail. */
  readonly isDmarcReported: boolean;
  /** Whether outbound mail is temporarily held when it shows signs of a compromised account. */
  readonly isSendingWatched: boolean;
  /** Whether rspamd also scans the users' outbound messages. */
  readonly isOutgoingScanned: boolean;
};

const yesOrNo = z.enum(['true', 'false'], { message: 'must be true or false' });

export const transferEnvironment = {
  KEYFOLD_DANE: yesOrNo.default('true'),
  KEYFOLD_GREYLISTING: yesOrNo.default('false'),
  KEYFOLD_DMARC_REPORTS: yesOrNo.default('true'),
  KEYFOLD_SEND_WATCH: yesOrNo.default('true'),
  KEYFOLD_RSPAMD_OUTGOING: yesOrNo.default('false'),
  KEYFOLD_ARRIVALS_PER_MINUTE: z
    .string()
    .default('600')
    .refine(text => /^\d{1,6}$/.test(text), 'must be a whole number (0 = unlimited)')
    .transform(Number),
  KEYFOLD_MAIL_GATEWAYS: z
    .string()
    .default('127.0.0.0/8,::1')
    .transform(text => text.split(',').map(network => network.trim()))
    .refine(networks => networks.every(isNetworkText), {
      message: 'must be a comma list of addresses and networks, such as 172.18.0.0/16',
    }),
} as const;

/** Converts the parsed environment variables to settings. */
export const readTransferConfig = (given: {
  readonly KEYFOLD_DANE: 'false' | 'true';
  readonly KEYFOLD_GREYLISTING: 'false' | 'true';
  readonly KEYFOLD_DMARC_REPORTS: 'false' | 'true';
  readonly KEYFOLD_SEND_WATCH: 'false' | 'true';
  readonly KEYFOLD_RSPAMD_OUTGOING: 'false' | 'true';
  readonly KEYFOLD_ARRIVALS_PER_MINUTE: number;
  readonly KEYFOLD_MAIL_GATEWAYS: readonly string[];
}): TransferConfig => ({
  isDaneUsed: given.KEYFOLD_DANE === 'true',
  isGreylistOn: given.KEYFOLD_GREYLISTING === 'true',
  isDmarcReported: given.KEYFOLD_DMARC_REPORTS === 'true',
  isSendingWatched: given.KEYFOLD_SEND_WATCH === 'true',
  isOutgoingScanned: given.KEYFOLD_RSPAMD_OUTGOING === 'true',
  arrivalsPerMinute: given.KEYFOLD_ARRIVALS_PER_MINUTE,
  mailGateways: Object.freeze([...given.KEYFOLD_MAIL_GATEWAYS]),
});
