// Import from another provider by the server: first the sign-in, then the folders found there. The
// password exists only in this form and is discarded with it.
import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { t } from '../../lib/language.ts';
import { serverImportsClient } from '../../session/calls/clients/server-imports.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { ImapFolders, type ImapWish } from './ImapFolders.tsx';
import { ImapLogin } from './ImapLogin.tsx';
import { emptyLogin, type ImapLoginFields, tidyLogin } from './imap-login.ts';
import { problemsOfError } from './imap-problems.ts';
import type { ServerOfferProps } from './ServerImports.tsx';

function toCall(login: ImapLoginFields) {
  const { host, port, security, user, password } = tidyLogin(login);
  return { host, port: Number(port), security, user: user.trim(), password };
}

type ServerImapProps = ServerOfferProps & {
  onStarted: (importId: string) => void;
};

/** The offer, and behind it the two steps. */
export function ServerImap({ isOpen, onOpen, onClose, onStarted }: ServerImapProps) {
  const [login, setLogin] = useState<ImapLoginFields>(emptyLogin);
  const look = useMutation({
    mutationFn: async () => (await serverImportsClient.imap_folders(toCall(login))).data.folders,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: async (wish: ImapWish) =>
      (await serverImportsClient.start_imap({ ...toCall(login), ...wish })).data.import_id,
    gcTime: 0,
    onSuccess: onStarted,
  });
  const { fields, other } = useMemo(
    () => problemsOfError(start.error ?? look.error),
    [start.error, look.error],
  );
  const close = () => {
    setLogin(emptyLogin);
    look.reset();
    start.reset();
    onClose();
  };
  // When the form is gone, its fields are gone too.
  const strip = look.data === undefined ? (other ?? undefined) : (other ?? Object.values(fields)[0]);
  if (!isOpen)
    return (
      <Button variant="outline" onClick={onOpen}>
        {t('Import another mailbox')}
      </Button>
    );
  return (
    <section
      aria-label={t('Import another mailbox')}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-5 max-pane:p-4"
    >
      <h2 className="font-semibold">{t('Import another mailbox')}</h2>
      {strip !== undefined && (
        <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
          {strip}
        </Banner>
      )}
      {look.data === undefined ? (
        <ImapLogin
          login={login}
          isBusy={look.isPending}
          problems={fields}
          onChange={next => {
            setLogin(next);
            // The errors of the last attempt no longer apply.
            if (look.isError) look.reset();
          }}
          onCancel={close}
          onSubmit={() => {
            setLogin(tidyLogin(login));
            look.mutate();
          }}
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
