/**
 * What other domains say about TLS on the way to them, for the rooms that send: their MTA-STS policies. See
 * policy-desk.ts and sts-policy.ts.
 */
export { createStsDesk, type StsDesk, type StsFinding } from './policy-desk.ts';
export { isMxAllowed } from './sts-policy.ts';
