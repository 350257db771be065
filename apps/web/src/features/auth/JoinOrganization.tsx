// An invitation opened by a signed-in user: joins the organization with the existing account, after
// explaining what the organization can then see and do. Nothing happens before the button is
// pressed.
import { useMutation } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/language.ts';
import { joinSentences } from '../../lib/words.ts';
import { inboxPath, settingsPath } from '../../paths.ts';
import { authClient } from '../../session/calls/clients/auth.ts';
import { organizationClient } from '../../session/calls/clients/organization.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import type { lookAtInvitation } from '../../session/sign-in/joining.ts';
import { setUser, useUser } from '../../session/state/current-user.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { showToast } from '../../ui/toasts.ts';

type JoinOrganizationProps = {
  /** Secret from the link. */
  invite: string;
  invitation: Awaited<ReturnType<typeof lookAtInvitation>>;
};

const roleWords = (role: JoinOrganizationProps['invitation']['role']): string =>
  role === 'owner'
    ? t('You’ll be an owner.')
    : role === 'admin'
      ? t('You’ll be an admin.')
      : t('You’ll be a member.');

export function JoinOrganization({ invite, invitation }: JoinOrganizationProps) {
  const user = useUser();
  const navigate = useNavigate();
  const { organization, role, username, domain, is_connected: isConnected } = invitation;
  const own = user?.email ?? '';
  const address = `${username}@${domain}`;
  const join = useMutation({
    mutationFn: async () => {
      await organizationClient.join({ invite });
      // The account may have an additional address now.
      await authClient.check({}).then(
        ({ data }) => setUser(data),
        () => undefined,
      );
    },
    onSuccess: () => {
      showToast({ tone: 'success', text: t('You joined {organization}', { organization }) });
      void navigate(settingsPath('organisation'), { replace: true });
    },
  });
  return (
    <>
      <h1 dir="auto" className="mb-1 text-page font-semibold tracking-tight">
        {t('Join {organization}', { organization })}
      </h1>
      <p className="mb-5 text-ink-2 [overflow-wrap:anywhere]">
        {joinSentences(
          t('You’re signed in as {email} and can join with this account.', { email: own }),
          roleWords(role),
        )}
      </p>
      {join.error !== null && (
        <div className="mb-4">
          <Banner tone="danger" role="alert" icon={<CircleAlert size={17} />}>
            {callErrorText(join.error)}
          </Banner>
        </div>
      )}
      <ul className="mb-5 flex list-disc flex-col gap-2 ps-5 [overflow-wrap:anywhere]">
        <li>
          {isConnected
            ? t('You also get the address {address} while you’re a member.', { address })
            : t('You keep your address. {address} won’t be created.', { address })}
        </li>
        <li>
          {t(
            'Owners and admins can see your name, your address {email}, your role, when you joined and when you were last active. Members can see your name and address.',
            { email: own },
          )}
        </li>
        <li>{t('No one in the organization can read your mail.')}</li>
        <li>
          {t(
            'Owners and admins with a higher role than yours can create a link that resets your password. Anyone who uses the link receives your new mail but can’t open older mail.',
          )}
        </li>
        <li>{t('You can leave at any time in Settings.')}</li>
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Button size="lg" busy={join.isPending} onClick={() => join.mutate()}>
          {t('Join with this account')}
        </Button>
        <Link to={inboxPath}>{t('Not now')}</Link>
      </div>
    </>
  );
}
