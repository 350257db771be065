// Says how many remote images were held back and lets the reader load them, once or always for this sender.
import { ImageOff } from 'lucide-react';
import { plural } from '../../lib/words.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import type { RemoteContentView } from './view-model.ts';

interface RemoteContentStripProps {
  remote: RemoteContentView;
  onLoadOnce: () => void;
  onAlwaysLoad?: (() => void) | undefined;
}

/** Shown while something is held back. */
export function RemoteContentStrip({ remote, onLoadOnce, onAlwaysLoad }: RemoteContentStripProps) {
  const trackers = remote.knownTrackers > 0 ? `, ${plural(remote.knownTrackers, 'known tracker')}` : '';
  return (
    <div className="print:hidden">
      <Banner
        tone="neutral"
        icon={<ImageOff size={16} />}
        actions={
          <>
            <Button variant="inherit" size="xs" onClick={onLoadOnce}>
              Load once
            </Button>
            {onAlwaysLoad !== undefined && (
              <Button variant="inherit" size="xs" onClick={onAlwaysLoad}>
                Always for this sender
              </Button>
            )}
          </>
        }
      >
        {`${plural(remote.blockedImages, 'remote image')} blocked${trackers}`}
      </Banner>
    </div>
  );
}
