/** Public interface of features/accounts/second-factor for the rest of the server. */
export type { Verdict } from './codes.ts';
export {
  askPasskey,
  findFactors,
  judgeProof,
  loseSecondFactor,
  type OwnerProof,
  type Proof,
  type Prover,
  proverOf,
  requireSecondFactor,
} from './service.ts';
