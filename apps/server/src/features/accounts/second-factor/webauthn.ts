/**
 * WebAuthn for passkeys and security keys: builds the browser's options and verifies its responses.
 * The relying party is the host of KEYFOLD_URL. Keys are a second factor after the password, so
 * they need neither user verification nor to be discoverable. The library and its ASN.1 modules are
 * loaded with the first key: few requests need them, and they would slow down each start.
 */
import type { NewPasskey, PasskeyAnswer } from '@keyfold/contract';
import { PASSKEY_CHALLENGE_LIFETIME_MS } from '../../../base/limits.ts';
import type { RelyingParty } from '../../../config/addresses.ts';
import type { Config } from '../../../config/config.ts';

/** Fields of a stored key that WebAuthn verification needs. */
export type StoredKey = {
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
};

const NAME = 'Keyfold';

const loadLibrary = () => import('@simplewebauthn/server');

const named = ({ credential_id, transports }: StoredKey) => ({
  id: credential_id.toString('base64url'),
  transports: [...transports],
});

/** Returns the options for `navigator.credentials.create`. The caller stores the challenge. */
export const askForNewKey = async (
  { rpId }: RelyingParty,
  account: { readonly address: string; readonly name: string; readonly handle: Uint8Array },
  known: readonly StoredKey[],
) =>
  (await loadLibrary()).generateRegistrationOptions({
    rpName: NAME,
    rpID: rpId,
    userName: account.address,
    userDisplayName: account.name,
    userID: new Uint8Array(account.handle),
    timeout: PASSKEY_CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    excludeCredentials: known.map(named),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
  });

/** Returns the options for `navigator.credentials.get`. The caller stores the challenge. */
export const askForAnswer = async ({ rpId }: RelyingParty, known: readonly StoredKey[]) =>
  (await loadLibrary()).generateAuthenticationOptions({
    rpID: rpId,
    timeout: PASSKEY_CHALLENGE_LIFETIME_MS,
    allowCredentials: known.map(named),
    userVerification: 'discouraged',
  });

/** On localhost the page may come from another port, such as the development server's. */
const LOCAL = /^http:\/\/localhost(:\d{1,5})?$/;

function originsOf({ rpId, origin }: RelyingParty, clientDataJson: string): string[] {
  if (rpId !== 'localhost') return [origin];
  const { origin: from } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as {
    origin?: unknown;
  };
  return typeof from === 'string' && LOCAL.test(from) ? [origin, from] : [origin];
}

/**
 * Returns whether a new key has no attestation certificates. None are requested, and verifying them
 * may fetch URLs that they contain, which would let clients make this server send requests to other
 * machines.
 */
async function isUncertified(credential: NewPasskey): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const bytes = new Uint8Array(Buffer.from(credential.response.attestationObject, 'base64url'));
  const attestation = decodeAttestationObject(bytes);
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/**
 * Returns the key that a browser created for this challenge, or null when the response is invalid.
 */
export async function readNewKey(
  party: RelyingParty,
  challenge: string,
  credential: NewPasskey,
): Promise<(StoredKey & { readonly is_synced: boolean }) | null> {
  try {
    if (!(await isUncertified(credential))) return null;
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: {
          clientDataJSON: credential.response.clientDataJSON,
          attestationObject: credential.response.attestationObject,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: originsOf(party, credential.response.clientDataJSON),
      expectedRPID: party.rpId,
      requireUserVerification: false,
    });
    if (!verified) return null;
    return {
      credential_id: Buffer.from(info.credential.id, 'base64url'),
      public_key: Buffer.from(info.credential.publicKey),
      counter: info.credential.counter,
      transports: credential.response.transports ?? [],
      is_synced: info.credentialBackedUp,
    };
  } catch {
    return null;
  }
}

/**
 * Returns the counter in a key's response to this challenge, or null when the response is invalid
 * or the counter decreased.
 */
export async function readAnswer(
  party: RelyingParty,
  challenge: string,
  answer: PasskeyAnswer,
  key: StoredKey,
): Promise<number | null> {
  try {
    const { userHandle, ...response } = answer.response;
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, response: { ...response, ...(userHandle === undefined ? {} : { userHandle }) } },
      expectedChallenge: challenge,
      expectedOrigin: originsOf(party, response.clientDataJSON),
      expectedRPID: party.rpId,
      credential: {
        id: key.credential_id.toString('base64url'),
        publicKey: new Uint8Array(key.public_key),
        counter: key.counter,
        transports: [...key.transports],
      },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** Returns whether passkeys are available: WebAuthn requires a host name, not an IP address. */
export const hasPasskeys = ({ relyingParty }: Pick<Config, 'relyingParty'>): boolean => relyingParty !== null;
