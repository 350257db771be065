// The key comparison dialog, loaded when it is first opened, so that QR codes and safety numbers
// are not part of the initial load.
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import type { VerifyDialogProps } from './VerifyDialog.tsx';

const Dialog = lazy(async () => ({
  default: (await loadChunk('verify', () => import('./VerifyDialog.tsx'))).VerifyDialog,
}));

export function LazyVerifyDialog(props: VerifyDialogProps) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
