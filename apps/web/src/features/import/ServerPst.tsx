// The other way: the server reads a PST (Spec §7 and §8, readings 26). Behind a sentence that one has to agree to, since it
// sees the mail meanwhile. What runs is shown again after a reload, until it is put away.
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { ServerRun } from './ServerRun.tsx';
import { putAway, sendToServer, stopUpload, useServerUpload } from './server-upload.ts';

/** Offers it, sends the file, and shows how far the server is. */
export function ServerPst() {
  const { percent, problem, importId } = useServerUpload();
  const [wasOpened, setOpened] = useState(false);
  const [isAgreed, setAgreed] = useState(false);
  const [hasFolderTags, setFolderTags] = useState(true);
  const isOpen = wasOpened || percent !== null || problem !== null;
  const close = () => {
    setOpened(false);
    setAgreed(false);
  };
  const step = importId !== '' ? 'run' : isOpen ? `open ${percent !== null}` : 'closed';
  const part = useKeptFocus<HTMLDivElement>(step);
  return (
    <div ref={part} tabIndex={-1} className="outline-none">
      {step === 'run' && (
        <ServerRun
          id={importId}
          onPutAway={() => {
            putAway();
            close();
          }}
        />
      )}
      {step === 'closed' && (
        <Button variant="outline" onClick={() => setOpened(true)}>
          {t('Let the server read a PST file')}
        </Button>
      )}
      {importId === '' && isOpen && (
        <section
          aria-label={t('Let the server read a PST file')}
          className="flex flex-col gap-3 rounded-card border border-line bg-surface p-5 max-pane:p-4"
        >
          <h2 className="font-semibold">{t('Let the server read a PST file')}</h2>
          <p className="max-w-[68ch] text-control text-ink-2">
            {t(
              'For when no browser can stay open for it. The server sees this mail while it reads the file; then it is sealed as any other.',
            )}
          </p>
          {percent === null && (
            <div className="flex flex-col gap-1">
              <CheckboxLine
                label={t('Give each mail its folder as a tag')}
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
                {t('Sending the file')}
              </p>
              <Progress label={t('Sending the file')} thick value={percent} />
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
      )}
    </div>
  );
}
