// The signature for messages from each of the user's addresses. The account has one default
// (docs/spec-map.md 3); an address may override it. Overrides are kept as a sealed record, because
// the specification's signatures have no field for them.
import { z } from 'zod';
import { findOwnRecord, isVersionConflict, saveOwnRecord } from '../../../session/own-record.ts';

const stored = z.object({ signatures: z.record(z.string(), z.string()) });

/** Signature ids by lowercase address. */
export type AddressSignatures = z.infer<typeof stored>['signatures'];

const kind = 'setting';
const recordId = 'address-signatures';
const SAVE_TRIES = 3;

async function load(): Promise<{ readonly version: number; readonly signatures: AddressSignatures }> {
  const found = await findOwnRecord(kind, recordId);
  if (found === null) return { version: 0, signatures: {} };
  const opened = stored.safeParse(found.value);
  return { version: found.version, signatures: opened.success ? opened.data.signatures : {} };
}

/** The signatures of the user's addresses. */
export const addressSignaturesQuery = {
  queryKey: ['address-signatures'],
  queryFn: async () => (await load()).signatures,
};

/** Assigns a signature to exactly these addresses. Rejects with CallError. */
export async function keepAddresses(signatureId: string, addresses: readonly string[]): Promise<void> {
  for (let tries = SAVE_TRIES; ; tries -= 1) {
    const { version, signatures } = await load();
    const next = withAddresses(signatures, signatureId, addresses);
    if (JSON.stringify(next) === JSON.stringify(signatures)) return;
    try {
      await saveOwnRecord(kind, recordId, version, { signatures: next });
      return;
    } catch (error) {
      if (!isVersionConflict(error) || tries <= 1) throw error;
    }
  }
}

/**
 * Returns the assignments after a signature was given to these addresses and removed from all
 * others.
 */
export function withAddresses(
  before: AddressSignatures,
  signatureId: string,
  addresses: readonly string[],
): AddressSignatures {
  const others = Object.entries(before).filter(([, id]) => id !== signatureId);
  const own = addresses.map(address => [address.toLowerCase(), signatureId] as const);
  return Object.fromEntries([...others, ...own]);
}

/** Returns the addresses that have this signature. */
export const addressesOf = (choices: AddressSignatures, signatureId: string): string[] =>
  Object.keys(choices).filter(address => choices[address] === signatureId);

/** Returns the initial signature for this address: its own, else the default; null for none. */
export function signatureOf<One extends { readonly id: string; readonly is_default: boolean }>(
  address: string,
  all: readonly One[],
  choices: AddressSignatures,
): One | null {
  const own = choices[address.toLowerCase()];
  return all.find(({ id }) => id === own) ?? all.find(one => one.is_default) ?? null;
}

type Carried = { readonly signatureId: string | null; readonly text: string };
type Signed = { readonly id: string; readonly plain_text: string } | null;

/**
 * Returns whether a draft uses the signature of its address, rather than another chosen one or
 * none. A reopened draft identifies its signature by its text only.
 */
export function followsAddress({ signatureId, text }: Carried, own: Signed): boolean {
  if (signatureId !== null) return signatureId === own?.id;
  const lines = text.trimEnd();
  if (own === null) return !/(?:^|\n)-- \n/.test(text);
  return lines.endsWith(`-- \n${own.plain_text.trimEnd()}`);
}
