// `/app/config/tags`: every tag with its color and the number of its messages.
import { MoreHorizontal, Plus, Tag as TagIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/language.ts';
import { mailPath } from '../../paths.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { TagDot } from '../../ui/TagDot.tsx';
import { useMailCounts } from '../mail/state/queries.ts';
import { colorName } from './colors.ts';
import { TagDialog } from './TagDialog.tsx';
import { TagMenu } from './TagMenu.tsx';

export function TagsPage() {
  const tags = useUser()?.tags ?? [];
  const { data: counts } = useMailCounts();
  const [isMaking, setMaking] = useState(false);
  return (
    <SettingsPage
      title={t('Tags')}
      text={t('A message can have several tags. The server can read tag names.')}
      action={
        <Button size="sm" onClick={() => setMaking(true)}>
          <Plus size={15} />
          {t('New tag')}
        </Button>
      }
    >
      {tags.length === 0 ? (
        <EmptyState
          icon={<TagIcon />}
          title={t('No tags yet')}
          text={t('Create one here, or press the L key in a message.')}
        />
      ) : (
        <ul className="rounded-card border border-line">
          {tags.map(tag => {
            const total = counts?.tags[tag.name]?.total ?? 0;
            return (
              <li
                key={tag.name}
                className="flex min-h-12 items-center gap-3 border-b border-line px-4 last:border-b-0"
              >
                <TagDot color={tag.color} />
                <Link
                  to={mailPath(tag.name)}
                  dir="auto"
                  className="min-w-0 truncate font-medium no-underline hover:underline"
                >
                  {tag.name}
                </Link>
                <span className="text-meta text-ink-3 max-pane:sr-only">{colorName(tag.color)}</span>
                <span className="flex-1" />
                <span className="shrink-0 text-meta text-ink-3 tabular-nums">
                  {t('{count, plural, one {# message} other {# messages}}', { count: total })}
                </span>
                <TagMenu
                  tag={tag}
                  mails={total}
                  trigger={
                    <IconButton tip={false} label={t('More actions for tag {name}', { name: tag.name })}>
                      <MoreHorizontal size={16} />
                    </IconButton>
                  }
                />
              </li>
            );
          })}
        </ul>
      )}
      {isMaking && <TagDialog tag={null} onClose={() => setMaking(false)} />}
    </SettingsPage>
  );
}
