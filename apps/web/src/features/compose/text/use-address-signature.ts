// Applies the signature of the sender address: inserts it into a new draft once the editor and the
// signatures are loaded, and changes it with the address unless the user has chosen another one.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { DraftState } from '../draft/draft-state.ts';
import { useSignatures } from '../draft/queries.ts';
import { addressSignaturesQuery, followsAddress, signatureOf } from './address-signatures.ts';
import type { ChosenSignature } from './SignatureMenu.tsx';

/**
 * Calls `choose` once for a new draft that gets a signature, when the editor is ready (`isReady`).
 * Returns a function to call when the sender address changes: it returns the new signature with the
 * text of the old one, or null to leave the draft unchanged.
 */
export function useAddressSignature(
  state: DraftState,
  isReady: boolean,
  choose: (signature: ChosenSignature) => void,
): (address: string) => { readonly next: ChosenSignature | null; readonly oldText: string } | null {
  const { data: all } = useSignatures();
  const { data: choices, isError } = useQuery(addressSignaturesQuery);
  // If the assignments cannot be loaded, every address uses the default.
  const known = choices ?? (isError ? {} : undefined);
  const isDone = useRef(state.save.kind !== 'new' || state.signatureId !== null);
  const latest = useRef({ choose, address: state.from.address });
  latest.current = { choose, address: state.from.address };
  useEffect(() => {
    if (isDone.current || !isReady || all === undefined || known === undefined) return;
    isDone.current = true;
    const chosen = signatureOf(latest.current.address, all, known);
    if (chosen !== null) latest.current.choose(chosen);
  }, [all, known, isReady]);
  return address => {
    if (all === undefined || known === undefined) return null;
    const before = signatureOf(state.from.address, all, known);
    const next = signatureOf(address, all, known);
    if (before?.id === next?.id || !followsAddress(state, before)) return null;
    return { next, oldText: before?.plain_text.trimEnd() ?? '' };
  };
}
