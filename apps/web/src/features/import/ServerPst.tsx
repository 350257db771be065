// The other way: the server reads a PST (Spec §7 and §8, readings 26). Behind a sentence that one has to agree to, since it
// sees the mail meanwhile. What runs is shown again after a reload, until it is put away.
import { CallError } from '@keyfold/contract/client';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { findSetting, keepSetting } from '../../lib/local-storage.ts';
import { pstImportClient } from '../../session/pst-import-client.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { ServerRun } from './ServerRun.tsx';

const setting = 'server_import';

/** Offers it, sends the file, and shows how far the server is. */
export function ServerPst() {
  const [id, setId] = useState(() => findSetting(setting) ?? '');
  const [isOpen, setOpen] = useState(false);
  const [isAgreed, setAgreed] = useState(false);
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const keep = (next: string) => {
    keepSetting(setting, next);
    setId(next);
  };
  const send = async (file: File) => {
    const abort = new AbortController();
    setProblem(null);
    setPercent(0);
    setStop(abort);
    try {
      const { data } = await pstImportClient.start(
        { import_options: JSON.stringify({ folders_as_tags: true }) },
        {
          file,
          signal: abort.signal,
          onProgress: (sent, total) => setPercent(total > 0 ? (100 * sent) / total : 0),
        },
      );
      keep(data.import_id);
      setOpen(false);
      setAgreed(false);
    } catch (error) {
      const why = error instanceof CallError ? ` ${error.message}` : '';
      if (!abort.signal.aborted) setProblem(`${t('Failed to start PST import')}.${why}`);
    } finally {
      setPercent(null);
      setStop(null);
    }
  };
  if (id !== '') return <ServerRun id={id} onPutAway={() => keep('')} />;
  if (!isOpen)
    return (
      <div>
        <Button variant="quiet" onClick={() => setOpen(true)}>
          {t('Let the server read a PST file')}
        </Button>
      </div>
    );
  return (
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
      <CheckboxLine
        label={t('I know the server will see this mail')}
        checked={isAgreed}
        onChange={setAgreed}
      />
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
          onFiles={([file]) => file !== undefined && void send(file)}
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
            stop?.abort();
            setOpen(false);
            setAgreed(false);
          }}
        >
          {t('Cancel')}
        </Button>
      </div>
    </section>
  );
}
