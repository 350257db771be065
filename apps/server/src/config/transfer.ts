/**
 * What the operator says about the transfer of mail between servers, beside the addresses and ports in config.ts. Ground:
 * nothing is asked here.
 */
import { z } from 'zod';
import { isNetworkText } from './networks.ts';

export type TransferConfig = {
  /** Whether TLSA records are heeded, where a resolver on this machine vouches for them. */
  readonly isDaneUsed: boolean;
  /** Whether senders that were never seen are asked to come back. */
  readonly isGreylistOn: boolean;
  /** Messages that one network may bring within a minute; 0: any number. */
  readonly arrivalsPerMinute: number;
  /** Addresses and networks that are neither counted nor asked to come back. */
  readonly mailGateways: readonly string[];
  /** Whether domains that ask for it are told each day how their mail fared at DMARC. */
  readonly isDmarcReported: boolean;
  /** Whether mail to the outside is held for a while when it shows signs of a compromised account. */
  readonly isSendingWatched: boolean;
  /** Whether rspamd is shown letters of users to the outside too. */
  readonly isOutgoingScanned: boolean;
};

const yesOrNo = z.enum(['true', 'false'], { message: 'must be true or false' });

/** Variables of the environment. */
export const transferEnvironment = {
  KEYFOLD_DANE: yesOrNo.default('true'),
  KEYFOLD_GREYLISTING: yesOrNo.default('false'),
  KEYFOLD_DMARC_REPORTS: yesOrNo.default('true'),
  KEYFOLD_SEND_WATCH: yesOrNo.default('true'),
  KEYFOLD_RSPAMD_OUTGOING: yesOrNo.default('false'),
  KEYFOLD_ARRIVALS_PER_MINUTE: z
    .string()
    .default('600')
    .refine(text => /^\d{1,6}$/.test(text), 'must be a whole number, 0 for any number of messages')
    .transform(Number),
  KEYFOLD_MAIL_GATEWAYS: z
    .string()
    .default('127.0.0.0/8,::1')
    .transform(text => text.split(',').map(network => network.trim()))
    .refine(networks => networks.every(isNetworkText), {
      message: 'must be a comma list of addresses and networks, such as 172.18.0.0/16',
    }),
} as const;

/** What they say. */
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
