// Server-side imports (docs/spec-map.md 7, 8, docs/interpretations.md#26): a PST file, or a mailbox
// at another provider. One at a time; a running import is shown again after a reload, until the
// user dismisses it.
import { useState } from 'react';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { ServerImap } from './ServerImap.tsx';
import { ServerPst } from './ServerPst.tsx';
import { ServerRun } from './ServerRun.tsx';
import { keepImport, putAway, useServerUpload } from './server-upload.ts';

/** The offers, or the progress of the running import. */
export function ServerImports() {
  const { percent, problem, importId } = useServerUpload();
  const [opened, setOpened] = useState<'imap' | 'pst' | null>(null);
  const close = () => setOpened(null);
  const isSending = percent !== null || problem !== null;
  const part = useKeptFocus<HTMLDivElement>(
    importId !== '' ? 'run' : `${opened} ${isSending} ${percent !== null}`,
  );
  return (
    <div ref={part} tabIndex={-1} className="flex flex-col items-start gap-2 outline-none [&>section]:w-full">
      {importId !== '' ? (
        <ServerRun
          id={importId}
          onPutAway={() => {
            putAway();
            close();
          }}
        />
      ) : (
        <>
          <ServerImap
            isOpen={opened === 'imap'}
            onOpen={() => setOpened('imap')}
            onClose={close}
            onStarted={keepImport}
          />
          <ServerPst isOpen={opened === 'pst' || isSending} onOpen={() => setOpened('pst')} onClose={close} />
        </>
      )}
    </div>
  );
}

/** Opens and closes an offer. */
export type ServerOfferProps = {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
};
