/** Job body: certificates by ACME. */
export { renewCertificates } from './renew.ts';
