// A proof of the second factor: a code, or the response of a passkey or security key, which the
// browser requests.
import type { PasskeyAnswer } from '@keyfold/contract';
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { t } from '../../lib/language.ts';
import { isNative } from '../../native/is-native.ts';
import { callErrorText } from '../calls/error-text.ts';

export type FactorProof = { readonly totp_code: string } | { readonly passkey: PasskeyAnswer };

/** A form's second-factor proof; empty if no factor is on. */
export type OwnProof = FactorProof | Record<string, never>;

/** Options that the server created for the browser; passed on unchanged. */
type Options = Readonly<Record<string, unknown>>;

/**
 * Returns why security keys cannot be used here, or undefined if they can. A key responds only to
 * the origin that created it, and the page in the native shell has another origin than its server.
 */
export function keysRefusal(): string | undefined {
  if (isNative())
    return t('Passkeys and security keys work only in a browser, not in this app. Use another method here.');
  return browserSupportsWebAuthn()
    ? undefined
    : t('This browser can’t use passkeys or security keys at this address');
}

/** Requests a response from one of the registered keys. Rejects when none responds. */
export async function answerWithKey(options: Options): Promise<PasskeyAnswer> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, response } = await startAuthentication({ optionsJSON });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: {
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle === undefined ? {} : { userHandle }),
    },
    clientExtensionResults: {},
  };
}

/** Creates a new key. Rejects when none was created. */
export async function makeKey(options: Options) {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, response } = await startRegistration({ optionsJSON });
  return {
    id,
    rawId,
    type: 'public-key' as const,
    response: {
      clientDataJSON: response.clientDataJSON,
      attestationObject: response.attestationObject,
      ...(response.transports === undefined ? {} : { transports: [...response.transports] }),
    },
    clientExtensionResults: {},
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Returns why a key did not respond, or the server's error. */
export function keyErrorText(error: unknown): string {
  const name = nameOf(error);
  if (name === 'InvalidStateError') return t('This key is already registered');
  if (name === 'NotAllowedError' || name === 'AbortError')
    return t('No key was used. Try again and follow your browser’s instructions.');
  if (name === 'SecurityError' || name === 'NotSupportedError')
    return t('This browser can’t use passkeys or security keys at this address');
  return callErrorText(error);
}
