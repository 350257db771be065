// What the server brings in itself (docs/spec-map.md 7, 8, docs/interpretations.md#26): a PST file, or the mailbox at another
// provider. One at a time; what runs is shown again after a reload, until it is put away.
import { useState } from 'react';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { ServerImap } from './ServerImap.tsx';
import { ServerPst } from './ServerPst.tsx';
import { ServerRun } from './ServerRun.tsx';
import { keepImport, putAway, useServerUpload } from './server-upload.ts';

/** The offers, or how far the server is. */
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

/** How an offer is opened and closed. */
export type ServerOfferProps = {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
};
