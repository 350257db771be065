// What one can show for the second factor: a code, or the answer of a passkey or security key, which the browser asks for.
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

/** What a form has of the second factor; nothing where none is on. */
export type OwnProof = FactorProof | Record<string, never>;

/** What the server made for the browser; handed on as it is. */
type Options = Readonly<Record<string, unknown>>;

/**
 * Why keys cannot be asked for here, or undefined where they can. They answer the address that they were made at, and the page
 * in the shell of a phone has another than its server.
 */
export function keysRefusal(): string | undefined {
  if (isNative())
    return t('Passkeys and security keys answer in a browser alone, not in this app. Use another way here.');
  return browserSupportsWebAuthn() ? undefined : t('This browser cannot use keys at this address');
}

/** Asks for one of the keys that are known. Rejects when none answers. */
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

/** Has a new key made. Rejects when none was. */
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

/** Why a key did not answer, or what the server says of it. */
export function keyErrorText(error: unknown): string {
  const name = nameOf(error);
  if (name === 'InvalidStateError') return t('This key is registered already');
  if (name === 'NotAllowedError' || name === 'AbortError')
    return t('No key was used. Try again, and follow what your browser says.');
  if (name === 'SecurityError' || name === 'NotSupportedError')
    return t('This browser cannot use keys at this address');
  return callErrorText(error);
}
