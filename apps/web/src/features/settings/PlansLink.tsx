// The way from a limit to the plans, where the service has a page of them.
import { t } from '../../lib/language.ts';
import { settingsPath } from '../../paths.ts';
import { Link } from '../../ui/Link.tsx';
import { settingsGroups } from './pages.ts';

/** Nothing while no page of the plans is listed. */
export function PlansLink() {
  const path = settingsPath('subscription');
  const isListed = settingsGroups().some(({ pages }) => pages.some(page => page.path === path));
  return isListed && <Link to={path}>{t('See the plans')}</Link>;
}
