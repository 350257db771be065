// Mail from another provider, fetched by the server: first the login, then the folders that it finds there. The password is in
// this form alone, and goes with it.
import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/error-text.ts';
import { serverImportClient } from '../../session/server-import-client.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { ImapFolders, type ImapWish } from './ImapFolders.tsx';
import { emptyLogin, ImapLogin, type ImapLoginFields } from './ImapLogin.tsx';
import type { ServerOfferProps } from './ServerImports.tsx';

const toCall = ({ host, port, security, user, password }: ImapLoginFields) => ({
  host: host.trim().toLowerCase(),
  port: Number(port),
  security,
  user: user.trim(),
  password,
});

interface ServerImapProps extends ServerOfferProps {
  onStarted: (importId: string) => void;
}

/** The offer, and behind it the two steps. */
export function ServerImap({ isOpen, onOpen, onClose, onStarted }: ServerImapProps) {
  const [login, setLogin] = useState<ImapLoginFields>(emptyLogin);
  const look = useMutation({
    mutationFn: async () => (await serverImportClient.imap_folders(toCall(login))).data.folders,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: async (wish: ImapWish) =>
      (await serverImportClient.start_imap({ ...toCall(login), ...wish })).data.import_id,
    gcTime: 0,
    onSuccess: onStarted,
  });
  const close = () => {
    setLogin(emptyLogin);
    look.reset();
    start.reset();
    onClose();
  };
  if (!isOpen)
    return (
      <Button variant="outline" onClick={onOpen}>
        {t('From another mail provider')}
      </Button>
    );
  const problem = start.error ?? look.error;
  return (
    <section
      aria-label={t('From another mail provider')}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5 max-pane:p-4"
    >
      <h2 className="font-semibold">{t('From another mail provider')}</h2>
      {problem !== null && (
        <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
          {callErrorText(problem)}
        </Banner>
      )}
      {look.data === undefined ? (
        <ImapLogin
          login={login}
          isBusy={look.isPending}
          onChange={setLogin}
          onCancel={close}
          onSubmit={() => look.mutate()}
        />
      ) : (
        <ImapFolders
          folders={look.data}
          isBusy={start.isPending}
          onBack={() => {
            start.reset();
            look.reset();
          }}
          onCancel={close}
          onStart={wish => start.mutate(wish)}
        />
      )}
    </section>
  );
}
