/**
 * The same rows opened by the bare WebCrypto calls only: no base64, no checks, no JSON, no keys
 * cached between rows. This is the lower bound for any implementation of the protocol in this
 * browser.
 */
/**
 * Members of SubtleCrypto that engines have and the DOM types do not include yet.
 * @typedef {object} KeyEncapsulation
 * @property {(format: 'raw-seed', seed: Uint8Array, name: string, isExtractable: boolean, usages:
 *   string[]) => Promise<CryptoKey>} importKey
 * @property {(name: string, key: CryptoKey, ciphertext: Uint8Array) => Promise<ArrayBuffer>}
 *   decapsulateBits
 */

const subtle = /** @type {SubtleCrypto & KeyEncapsulation} */ (crypto.subtle);
const AES_GCM = { name: 'AES-GCM', length: 256 };
const INFO = new TextEncoder().encode('message-key');
const LABEL = new TextEncoder().encode('KFS1');
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20];

function join(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Returns the two private keys as WebCrypto keys. */
export const loadKeys = async identity => ({
  mlkem: await subtle.importKey('raw-seed', identity.mlkem_private, 'ML-KEM-1024', false, [
    'decapsulateBits',
  ]),
  dh: await subtle.importKey('pkcs8', join(PKCS8, identity.dh_private), 'X25519', false, ['deriveBits']),
});

/** Returns a row with every value already decoded and split into the arguments of each call. */
export function prepareRow(mail) {
  const [ciphertext, box, sender, salt, binding, summary] = [
    mail.ciphertext,
    mail.encrypted_key,
    mail.dh_public,
    mail.salt,
    mail.binding,
    mail.summary,
  ].map(text => Uint8Array.fromBase64(text));
  return { ciphertext, box, sender, salt, binding, summary, label: join(LABEL, binding) };
}

async function openRow(keys, row) {
  const [kem, dh] = await Promise.all([
    subtle.decapsulateBits('ML-KEM-1024', keys.mlkem, row.ciphertext),
    subtle
      .importKey('raw', row.sender, 'X25519', false, [])
      .then(sender => subtle.deriveBits({ name: 'X25519', public: sender }, keys.dh, 256)),
  ]);
  const material = join(new Uint8Array(kem), new Uint8Array(dh));
  const hkdf = await subtle.importKey('raw', material, 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: row.salt, info: INFO };
  const wrapKey = await subtle.deriveKey(derivation, hkdf, AES_GCM, false, ['decrypt']);
  const messageKey = await subtle.decrypt(
    { name: 'AES-GCM', iv: row.box.subarray(0, 12), additionalData: row.binding },
    wrapKey,
    row.box.subarray(12),
  );
  const key = await subtle.importKey('raw', messageKey, AES_GCM, false, ['decrypt']);
  return subtle.decrypt(
    { name: 'AES-GCM', iv: row.summary.subarray(0, 12), additionalData: row.label },
    key,
    row.summary.subarray(12),
  );
}

/** Opens the rows, `atOnce` of them at a time. */
export async function openBare(keys, rows, atOnce) {
  const opened = [];
  for (let start = 0; start < rows.length; start += atOnce)
    opened.push(...(await Promise.all(rows.slice(start, start + atOnce).map(row => openRow(keys, row)))));
  return opened;
}
