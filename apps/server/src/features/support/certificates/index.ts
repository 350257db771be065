/** Public interface of features/support/certificates. */
export { type CertificateHolder, openCertificates } from './holder.ts';
export { loadCertificate } from './load.ts';
export { renewNow } from './renew.ts';
export { listCertificates, publishCertificateGauge, responseToChallenge } from './service.ts';
export { watchCertificate } from './watch.ts';
