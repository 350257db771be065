// What stands in the reading pane while nothing is open.
import { Mail } from 'lucide-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Kbd } from '../../ui/Kbd.tsx';

/** A hint with the keys that move through the list. */
export function ReaderEmpty() {
  return (
    <div className="h-full bg-surface">
      <EmptyState
        icon={<Mail />}
        title="No conversation selected"
        text={
          <>
            Use <Kbd>j</Kbd> and <Kbd>k</Kbd> to move, <Kbd>e</Kbd> to archive, <Kbd>c</Kbd> to write.
          </>
        }
      />
    </div>
  );
}
