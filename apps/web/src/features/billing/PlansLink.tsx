// Leads from a limit to the plans.
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { Link } from '../../ui/Link.tsx';

/** A link to the plans page. */
export function PlansLink() {
  return (
    <Link alone to={settingsPath('subscription')}>
      {t('See plans')}
    </Link>
  );
}
