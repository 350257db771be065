// The number and kind of users shown: filters apply to the loaded page (docs/spec-map.md 5, 9), or,
// after one more click, to all users on the server.
import { ADMIN_MATCHES_MAX } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { Button } from '../../ui/Button.tsx';

type UserCountProps = {
  shown: number;
  loaded: number;
  total: number;
  hasFilters: boolean;
  /** Whether filters apply to all users. */
  isOfAll: boolean;
  onOfAll: (isOfAll: boolean) => void;
};

function countText({ shown, loaded, total, isOfAll }: UserCountProps): string {
  if (!isOfAll)
    return t(
      '{shown} of {count, plural, one {# user} other {# users}} on this page match. {total, plural, one {# user} other {# users}} in total.',
      { shown, count: loaded, total },
    );
  // The server counts no further.
  return total >= ADMIN_MATCHES_MAX
    ? t('At least {total} users match in total.', { total: formatCount(total) })
    : t('{total, plural, one {# user matches in total.} other {# users match in total.}}', { total });
}

/** Shows the count, and a button to switch between the two. */
export function UserCount(props: UserCountProps) {
  const { loaded, total, hasFilters, isOfAll, onOfAll } = props;
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-control text-ink-2">
      <p role="status">{countText(props)}</p>
      {hasFilters && !isOfAll && total > loaded && (
        <Button variant="outline" size="sm" onClick={() => onOfAll(true)}>
          {t('Filter all users')}
        </Button>
      )}
      {isOfAll && (
        <Button variant="quiet" size="sm" onClick={() => onOfAll(false)}>
          {t('Filter this page only')}
        </Button>
      )}
    </div>
  );
}
