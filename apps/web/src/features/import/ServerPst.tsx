// Import of a PST file by the server (docs/spec-map.md 7, 8, docs/interpretations.md#26). Requires
// agreeing to a notice, because the server sees the mail meanwhile.
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Progress } from '../../ui/Progress.tsx';
import type { ServerOfferProps } from './ServerImports.tsx';
import { sendToServer, stopUpload, useServerUpload } from './server-upload.ts';

/** Offers the import and uploads the file. */
export function ServerPst({ isOpen, onOpen, onClose }: ServerOfferProps) {
  const { percent, problem } = useServerUpload();
  const [isAgreed, setAgreed] = useState(false);
  const [hasFolderTags, setFolderTags] = useState(true);
  const close = () => {
    setAgreed(false);
    onClose();
  };
  if (!isOpen)
    return (
      <Button variant="outline" onClick={onOpen}>
        {t('Import PST on the server')}
      </Button>
    );
  return (
    <section
      aria-label={t('Import PST on the server')}
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-5 max-pane:p-4"
    >
      <h2 className="font-semibold">{t('Import PST on the server')}</h2>
      <p className="max-w-[68ch] text-control text-ink-2">
        {t(
          'Use this if you can’t keep a browser open during the import. The server sees this mail while it reads the file. Afterward, the mail is encrypted like all other mail.',
        )}
      </p>
      {percent === null && (
        <div className="flex flex-col gap-1">
          <CheckboxLine
            label={t('Tag each message with its folder')}
            checked={hasFolderTags}
            onChange={setFolderTags}
          />
          <CheckboxLine
            label={t('I know the server will see this mail')}
            checked={isAgreed}
            onChange={setAgreed}
          />
        </div>
      )}
      {problem !== null && (
        <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
          {problem}
        </Banner>
      )}
      {percent === null ? (
        <FileDrop
          title={t('Drop a PST file here')}
          accept=".pst"
          disabled={!isAgreed}
          onFiles={([file]) => file !== undefined && void sendToServer(file, hasFolderTags)}
        />
      ) : (
        <div>
          <p role="status" className="mb-1.5 text-control">
            {t('Uploading the file…')}
          </p>
          <Progress label={t('Uploading the file…')} thick value={percent} />
        </div>
      )}
      <div className="flex justify-end">
        <Button
          variant="outline"
          onClick={() => {
            stopUpload();
            close();
          }}
        >
          {t('Cancel')}
        </Button>
      </div>
    </section>
  );
}
