// The dialog that compares keys, fetched when it is first opened: QR codes and numbers are in no first load.
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import type { VerifyDialogProps } from './VerifyDialog.tsx';

const Dialog = lazy(async () => ({
  default: (await loadChunk('verify', () => import('./VerifyDialog.tsx'))).VerifyDialog,
}));

/** Open while mounted. */
export function LazyVerifyDialog(props: VerifyDialogProps) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
