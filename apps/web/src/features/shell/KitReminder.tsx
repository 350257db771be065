// Reminds the user to create a recovery kit at each start until there is one, from the first layout
// on. Dismissing it applies to this tab.
import { LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { sentenceGap, t } from '../../lib/language.ts';
import { securityPath } from '../../paths.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';

const laterKey = 'kit_later';

function wasLeft(): boolean {
  try {
    return sessionStorage.getItem(laterKey) !== null;
  } catch {
    return false;
  }
}

function leave(): void {
  try {
    sessionStorage.setItem(laterKey, '1');
  } catch {
    // Storage is blocked, so the reminder comes back with the next page.
  }
}

/** Renders nothing on the page it links to. */
export function KitReminder() {
  const [isLeft, setLeft] = useState(wasLeft);
  const { pathname } = useLocation();
  const kitPath = securityPath('recovery');
  if (isLeft || pathname === kitPath) return null;
  return (
    <div className="px-3 py-2 short:px-2 short:py-1 print:hidden">
      <Banner
        tone="warn"
        icon={<LifeBuoy size={16} />}
        actions={
          <Button
            variant="inherit"
            size="xs"
            onClick={() => {
              leave();
              setLeft(true);
            }}
          >
            {t('Not now')}
          </Button>
        }
      >
        <span className="short:sr-only">
          {t('If you lose your password and have no recovery kit, you lose your mail.')}
        </span>
        {sentenceGap()}
        <Link to={kitPath} className="rounded-chip underline underline-offset-2">
          {t('Create a recovery kit')}
        </Link>
      </Banner>
    </div>
  );
}
