// Menu of a tag: change its name or color, or remove it. Its dialogs are loaded when they are
// opened.
import type { Tag } from '@keyfold/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';

const TagDialog = lazy(async () => ({
  default: (await loadChunk('tag', () => import('./TagDialog.tsx'))).TagDialog,
}));
const RemoveTagQuestion = lazy(async () => ({
  default: (await loadChunk('tag-question', () => import('./RemoveTagQuestion.tsx'))).RemoveTagQuestion,
}));

type TagMenuProps = {
  trigger: ReactElement;
  tag: Tag;
  /** Number of messages with the tag. */
  mails: number;
  onRenamed?: ((name: string) => void) | undefined;
  onRemoved?: (() => void) | undefined;
};

/** `trigger` opens it. */
export function TagMenu({ trigger, tag, mails, onRenamed, onRemoved }: TagMenuProps) {
  const [open, setOpen] = useState<'change' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon={<Pencil size={16} />} onSelect={() => setOpen('change')}>
          {t('Edit name and color')}
        </MenuItem>
        <MenuItem danger icon={<Trash2 size={16} />} onSelect={() => setOpen('remove')}>
          {t('Delete')}
        </MenuItem>
      </Menu>
      <Suspense>
        {open === 'change' && (
          <TagDialog
            tag={tag}
            onSaved={({ name }) => name !== tag.name && onRenamed?.(name)}
            onClose={close}
          />
        )}
        {open === 'remove' && (
          <RemoveTagQuestion name={tag.name} mails={mails} onRemoved={onRemoved} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
