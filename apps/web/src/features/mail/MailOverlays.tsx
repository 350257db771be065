// Overlays of the mail view: the context menu, the tag picker, the snooze times, and the
// confirmation before many messages are changed or any are deleted permanently. Separate chunks,
// loaded at first use.
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import type { Acting } from './use-acting.ts';
import type { RowChanges } from './use-row-changes.ts';

const RowMenu = lazy(async () => ({
  default: (await loadChunk('row-menu', () => import('./list/RowMenu.tsx'))).RowMenu,
}));
const OrganizePanel = lazy(async () => ({
  default: (await loadChunk('organize', () => import('./list/OrganizePanel.tsx'))).OrganizePanel,
}));
const BulkQuestion = lazy(async () => ({
  default: (await loadChunk('bulk', () => import('./list/BulkQuestion.tsx'))).BulkQuestion,
}));

type MailOverlaysProps = {
  word: string;
  acting: Acting;
  rowChanges: RowChanges;
};

/** Usually renders nothing. */
export function MailOverlays({ word, acting, rowChanges }: MailOverlaysProps) {
  const { menu, panel } = acting;
  const { question, changeRows, changeSelection } = rowChanges;
  return (
    <>
      {menu !== null && (
        <Suspense>
          <RowMenu menu={menu} onAct={acting.actMenu} onClose={acting.closeMenu} />
        </Suspense>
      )}
      {panel !== null && (
        <Suspense>
          <OrganizePanel
            panel={panel}
            onChange={change =>
              panel.isSelection ? changeSelection(change) : changeRows(panel.rows, change)
            }
            onClose={acting.closePanel}
          />
        </Suspense>
      )}
      {question !== null && (
        <Suspense>
          <BulkQuestion
            job={question}
            areDrafts={word === 'drafts' || (question.rows?.every(({ mail }) => mail.draft) ?? false)}
            onCancel={rowChanges.cancel}
            onConfirm={() => rowChanges.runJob(question)}
          />
        </Suspense>
      )}
    </>
  );
}
