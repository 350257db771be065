// Shown before a link from a message is opened: its target with and without the query. Works signed
// out; nothing opens automatically. docs/spec-map.md 2.02, 2.03.
import { Link2, TriangleAlert, Unlink } from 'lucide-react';
import { type NavigateFunction, useLocation, useNavigate } from 'react-router';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { isNative } from '../../native/is-native.ts';
import { inboxPath } from '../../paths.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { type CheckedLink, checkLink, namedHost, readAskedLink } from './link-check.ts';
import { TidyLink } from './TidyLink.tsx';

const outside = { target: '_blank', rel: 'noopener noreferrer' } as const;

/** Leaves the page: closes a tab opened for the link, and otherwise goes back in the history. */
function leave(navigate: NavigateFunction) {
  if (isNative() || globalThis.history.length > 1) {
    void navigate(-1);
    return;
  }
  globalThis.close();
  // Browsers ignore `close` for tabs that the user opened.
  void navigate(inboxPath);
}

type LinkWarningsProps = {
  link: CheckedLink;
  /** The host that the link text names, if it differs from the target's host. */
  named: string | null;
};

/** Reasons why the link may lead elsewhere than it appears to. */
function LinkWarnings({ link, named }: LinkWarningsProps) {
  const warnings = [
    link.lookalikeHost !== null && {
      title: t('This domain may imitate another one'),
      text: t('Its technical name is {host}.', { host: link.lookalikeHost }),
    },
    named !== null && {
      title: t('The link text names another site'),
      text: t('The text says {named}, but the link leads to another site. Be careful.', { named }),
    },
    link.hasHidden && {
      title: t('The link contains hidden characters'),
      text: t('They can disguise where the link leads. They’re shown below as % and digits.'),
    },
  ].filter(warning => warning !== false);
  return warnings.map(({ title, text }) => (
    <div key={title} className="mb-4">
      <Banner tone="warn" icon={<TriangleAlert size={17} />} title={title} role="status">
        {text}
      </Banner>
    </div>
  ));
}

/** The page at `/link#url=…`, and at `/link?url=…`. */
export function LinkScreen() {
  usePageTitle(t('You are leaving Keyfold'));
  const asked = readAskedLink(useLocation());
  const link = checkLink(asked.url);
  const named = namedHost(asked.named, asked.url);
  const navigate = useNavigate();
  const isLying = link !== null && (named !== null || link.lookalikeHost !== null || link.hasHidden);
  if (link === null) {
    return (
      <EmptyState
        icon={<Unlink />}
        title={t('No link provided')}
        text={t('The address of this page doesn’t contain a link.')}
        action={
          <Link alone to={inboxPath}>
            {t('Back to mail')}
          </Link>
        }
      />
    );
  }
  return (
    <>
      <h1 className="mb-1 flex items-center gap-2 text-subject font-semibold tracking-tight">
        <Link2 aria-hidden size={19} />
        {t('You are leaving Keyfold')}
      </h1>
      <p className="mb-4 text-ink-2">
        {t(
          'Check the address before you open it. The part after the question mark can tell the site who you are.',
        )}
      </p>
      <LinkWarnings link={link} named={named} />
      <h2 className="mb-1 text-meta font-medium text-ink-2">{t('Stripped link')}</h2>
      <div className="mb-2 flex items-center gap-2 rounded-control border border-line px-3 py-2.5 font-mono text-control">
        <bdi dir="ltr" className="min-w-0 flex-1 break-all">
          {link.parts === null ? (
            link.stripped
          ) : (
            <>
              {link.parts.before}
              <b className="font-strong">{link.parts.host}</b>
              {link.parts.after}
            </>
          )}
        </bdi>
        <CopyButton text={link.stripped} label={t('Copy stripped link')} />
      </div>
      {isLying && (
        <Button full className="mb-2" onClick={() => leave(navigate)}>
          {t('Go back')}
        </Button>
      )}
      {link.canOpen ? (
        <a
          href={link.stripped}
          {...outside}
          className={cn(
            'flex h-9 items-center justify-center rounded-control text-control font-semibold pointer-coarse:h-11',
            isLying ? 'text-ink-2 hover:bg-hover hover:text-ink' : 'bg-fill text-on-fill hover:bg-fill-hover',
          )}
        >
          {t('Open stripped link')}
        </a>
      ) : (
        <p role="status" className="text-control font-medium text-danger">
          {t('Keyfold doesn’t open this kind of link.')}
        </p>
      )}
      {link.canOpen && <TidyLink original={link.original} stripped={link.stripped} />}
      <h2 className="mt-5 mb-1 text-meta font-medium text-ink-2">{t('Original link')}</h2>
      <div className="flex items-center gap-2 rounded-control bg-warn-bg px-3 py-2.5 font-mono text-control text-warn">
        <bdi dir="ltr" className="min-w-0 flex-1 break-all">
          {link.original}
        </bdi>
        <CopyButton variant="inherit" text={link.original} label={t('Copy original link')} />
      </div>
      {link.canOpen && (
        <div className="mt-3 flex justify-end">
          <a
            href={link.original}
            {...outside}
            className="flex h-9 items-center rounded-control px-3.5 text-control font-semibold text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:h-11"
          >
            {t('Open original link')}
          </a>
        </div>
      )}
      {/* In browsers it is a separate tab; in the shell it replaced the message. */}
      {isNative() && !isLying && (
        <Button variant="quiet" full onClick={() => void navigate(-1)}>
          {t('Back')}
        </Button>
      )}
    </>
  );
}
