/** What the rest of the server may use of features/accounts/second-factor. */
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
