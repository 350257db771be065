/**
 * What the operator says about the transfer of mail between servers, beside the addresses and ports in config.ts. Ground:
 * nothing is asked here.
 */
import { z } from 'zod';

export type TransferConfig = {
  /** Whether TLSA records are heeded, where a resolver on this machine vouches for them. */
  readonly isDaneUsed: boolean;
};

const yesOrNo = z.enum(['true', 'false'], { message: 'must be true or false' });

/** Variables of the environment. */
export const transferEnvironment = {
  KEYFOLD_DANE: yesOrNo.default('true'),
} as const;

/** What they say. */
export const readTransferConfig = (given: { readonly KEYFOLD_DANE: 'false' | 'true' }): TransferConfig => ({
  isDaneUsed: given.KEYFOLD_DANE === 'true',
});
