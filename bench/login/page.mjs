/**
 * The browser code for one derivation from a password as the client does it, for the login
 * benchmark.
 */
import { deriveLoginHash } from '../../packages/crypto/src/login.ts';

globalThis.measure = async ({ password, email, rounds }) => {
  const times = [];
  await deriveLoginHash(password, email);
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await deriveLoginHash(password, email);
    times.push(performance.now() - startedAt);
  }
  return times;
};
