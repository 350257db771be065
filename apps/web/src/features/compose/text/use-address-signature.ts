// The signature of the address a letter is written from: put under one that was just begun, as soon as the editor and the
// signatures are there, and changed with the address unless another one was chosen.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { DraftState } from '../draft/draft-state.ts';
import { useSignatures } from '../draft/queries.ts';
import { addressSignaturesQuery, followsAddress, signatureOf } from './address-signatures.ts';
import type { ChosenSignature } from './SignatureMenu.tsx';

/**
 * Calls `choose` once for a new letter that gets a signature, when the editor is there (`isReady`). Returns what to call when the letter is to be written from
 * another address: it gives the signature to change to with the text of the one before, or null to leave all as it is.
 */
export function useAddressSignature(
  state: DraftState,
  isReady: boolean,
  choose: (signature: ChosenSignature) => void,
): (address: string) => { readonly next: ChosenSignature | null; readonly oldText: string } | null {
  const { data: all } = useSignatures();
  const { data: choices, isError } = useQuery(addressSignaturesQuery);
  // Where the choices cannot be had the default is right for everybody.
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
