// `/app/config/account/export` (docs/export.md): everything, a tag or a search as one archive, made in the browser without
// end or quota. It goes on while other pages are looked at, and after the tab was closed.
import { CircleAlert, Download, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { ExportState } from '../../crypto/export-client.ts';
import { formatFullDate } from '../../lib/dates.ts';
import { t, term } from '../../lib/language.ts';
import { formatSize } from '../../lib/sizes.ts';
import { formatCount } from '../../lib/words.ts';
import { isNative } from '../../native/is-native.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { PhoneFileNote } from '../../session/PhoneFileNote.tsx';
import { useUser } from '../../session/state/current-user.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Progress } from '../../ui/Progress.tsx';
import { Select } from '../../ui/Select.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { leftText } from '../import/import-words.ts';
import { findSearched, findTagged } from './choose-mails.ts';
import {
  beginExport,
  continueExport,
  pauseExport,
  removeExport,
  saveExport,
  useExport,
} from './export-run.ts';

const MINUTE_MS = 60_000;

type Kind = 'all' | 'tag' | 'search';

/** Something that takes its time, with the words of its failure. */
function useAct() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const act = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(callErrorText(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, act };
}

function Problem({ title, text }: { title: string; text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className="text-control text-danger">
      <span className="font-semibold">{title}</span>
      {text !== t('Something failed') && <span className="block">{text}</span>}
    </p>
  );
}

function NewExport() {
  const tags = useUser()?.tags ?? [];
  const [kind, setKind] = useState<Kind>('all');
  const [tag, setTag] = useState(tags[0]?.name ?? '');
  const [search, setSearch] = useState('');
  const [format, setFormat] = useState<'mbox' | 'eml'>('mbox');
  const { isBusy, problem, act } = useAct();
  const text = kind === 'tag' ? tag : search.trim();
  const begin = () =>
    act(async () => {
      if (kind === 'all') return beginExport({ format, scope: null }, null);
      const ids = kind === 'tag' ? await findTagged(text) : await findSearched(text);
      if (ids.length === 0) throw new Error(term('No mail matches'));
      return beginExport({ format, scope: { kind, text } }, ids);
    });
  return (
    <form
      noValidate
      className="flex max-w-96 flex-col gap-4"
      onSubmit={event => {
        event.preventDefault();
        if (kind === 'all' || text !== '') void begin();
      }}
    >
      <Select
        label={t('Which mail')}
        value={kind}
        disabled={isBusy}
        options={[
          { value: 'all', label: t('All mail') },
          ...(tags.length === 0 ? [] : [{ value: 'tag' as const, label: t('A tag') }]),
          { value: 'search', label: t('What a search finds') },
        ]}
        onChange={setKind}
      />
      {kind === 'tag' && (
        <Select
          label={t('Tag')}
          value={tag}
          disabled={isBusy}
          options={tags.map(({ name }) => ({ value: name, label: name }))}
          onChange={setTag}
        />
      )}
      {kind === 'search' && (
        <TextField
          label={t('Search')}
          hint={t('As in the search field, for example from:ines after:2025')}
          autoComplete="off"
          value={search}
          onChange={setSearch}
        />
      )}
      <Select
        label={t('Format')}
        value={format}
        disabled={isBusy}
        options={[
          { value: 'mbox', label: t('MBOX: one file for all mail') },
          { value: 'eml', label: t('EML: a file for each mail') },
        ]}
        onChange={setFormat}
      />
      <div>
        <Button type="submit" busy={isBusy} disabled={kind !== 'all' && text === ''}>
          {t('Start export')}
        </Button>
      </div>
      <Problem title={t('Failed to start the export')} text={problem} />
    </form>
  );
}

function scopeWords({ scope }: ExportState): string {
  if (scope === null) return t('All mail');
  return scope.kind === 'tag'
    ? t('Tag: {name}', { name: scope.text })
    : t('Search: {text}', { text: scope.text });
}

function phaseWords({ phase }: ExportState): string {
  switch (phase) {
    case 'running':
      return t('Mail is being opened and packed on this device.');
    case 'paused':
      return t('Paused. What was packed is kept, encrypted, on this device.');
    case 'done':
      return t('All is packed. Save it where you want it.');
    case 'failed':
      return t('It stopped, because the server could not be reached or a file could not be written.');
    case 'full':
      return t('It stopped, because there is no more room on this device.');
  }
}

function PhaseLine({ state, hasStopped }: { state: ExportState; hasStopped: boolean }) {
  return hasStopped ? (
    <div className="mt-3">
      <Banner tone="danger" icon={<CircleAlert size={16} />} role="alert">
        {phaseWords(state)}
      </Banner>
    </div>
  ) : (
    <p role="status" className="mt-1 text-control text-ink-2">
      {phaseWords(state)}
    </p>
  );
}

type RemoveQuestionProps = {
  isDone: boolean;
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
};

function RemoveQuestion({ isDone, isBusy, onCancel, onConfirm }: RemoveQuestionProps) {
  return (
    <AlertDialog
      open
      title={isDone ? t('Remove the export?') : t('Cancel the export?')}
      confirmLabel={isDone ? t('Remove') : t('Cancel export')}
      cancelLabel={t('Keep it')}
      busy={isBusy}
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      {t('What was packed is removed from this device. Your mail stays as it is.')}
    </AlertDialog>
  );
}

function RunningExport({ state }: { state: ExportState }) {
  const [isAsking, setAsking] = useState(false);
  const [wasSaved, setSaved] = useState(false);
  const saving = useAct();
  const removing = useAct();
  const { phase, total, done, mails, failed, bytes, beganAt, perMinute } = state;
  const hasStopped = phase === 'failed' || phase === 'full';
  const goOn = () => {
    if (phase === 'done') return saving.act(async () => setSaved(await saveExport(beganAt)));
    return phase === 'running' ? pauseExport() : continueExport();
  };
  return (
    <section aria-label={t('The export')} className="rounded-card border border-line p-5">
      <h2 dir="auto" className="text-pane font-semibold wrap-anywhere">
        {scopeWords(state)}
      </h2>
      <p className="mb-4 text-meta text-ink-3">
        {t('Begun {when}', { when: formatFullDate(new Date(beganAt)) })}
      </p>
      <Progress
        thick
        label={t('The export')}
        value={total === 0 ? 100 : (100 * done) / total}
        tone={hasStopped ? 'danger' : 'accent'}
      />
      <p className="mt-2 text-control text-ink-2 tabular-nums">
        {t('{done} of {total} mails, {size}', {
          done: formatCount(done),
          total: formatCount(total),
          size: formatSize(bytes),
        })}
      </p>
      {perMinute !== null && perMinute >= 1 && (
        <p className="mt-1 text-control text-ink-2 tabular-nums">
          {t('{count} a minute', { count: formatCount(Math.round(perMinute)) })}
          {', '}
          {leftText(((total - done) / perMinute) * MINUTE_MS)}
        </p>
      )}
      <PhaseLine state={state} hasStopped={hasStopped} />
      {failed > 0 && (
        <p className="mt-1 text-control text-warn">
          {t(
            '{count, plural, one {# mail could not be opened or is gone} other {# mails could not be opened or are gone}}; manifest.json names them.',
            { count: failed },
          )}
        </p>
      )}
      {wasSaved && saving.problem === null && (
        <p role="status" className="mt-1 text-control text-success">
          {t('{count, plural, one {Saved, with # mail.} other {Saved, with # mails.}}', { count: mails })}
        </p>
      )}
      {phase === 'done' && (
        <p className="mt-1 text-control text-ink-2">
          {t(
            'For another export, or one in the other format, save this one and remove it here: the saved file stays.',
          )}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {/* One button, whatever it is for: the focus stays on it. */}
        <Button
          variant={phase === 'running' ? 'outline' : 'primary'}
          busy={saving.isBusy}
          onClick={() => void goOn()}
        >
          {phase === 'done' && !saving.isBusy && <Download aria-hidden size={15} />}
          {phase === 'done' ? t('Save the file') : phase === 'running' ? t('Pause') : t('Continue')}
        </Button>
        <Button
          variant="quietDanger"
          disabled={saving.isBusy}
          busy={removing.isBusy}
          onClick={() => (wasSaved ? void removing.act(removeExport) : setAsking(true))}
        >
          {phase === 'done' ? t('Remove') : t('Cancel export')}
        </Button>
      </div>
      <div className="mt-2 empty:hidden">
        <Problem title={t('Failed to save the export')} text={saving.problem} />
        <Problem title={t('Failed to remove the export')} text={removing.problem} />
      </div>
      {isAsking && (
        <RemoveQuestion
          isDone={phase === 'done'}
          isBusy={removing.isBusy}
          onCancel={() => setAsking(false)}
          onConfirm={() => void removing.act(removeExport).then(() => setAsking(false))}
        />
      )}
    </section>
  );
}

/** The page. */
export function ExportPage() {
  const state = useExport();
  const part = useKeptFocus<HTMLDivElement>(state == null ? 'new' : 'running');
  return (
    <SettingsPage
      title={t('Export')}
      text={
        isNative()
          ? t(
              'Your mail with its files, tags and contacts as one ZIP file. It is opened and packed on this device: the server sees nothing of it.',
            )
          : t(
              'Your mail with its files, tags and contacts as one ZIP file. It is opened and packed in your browser: the server sees nothing of it.',
            )
      }
    >
      <div className="mb-5">
        <Banner tone="warn" icon={<ShieldAlert size={18} />} title={t('The file is not encrypted')}>
          {t('Whoever gets it can read your mail. Keep it where only you can reach it.')}
        </Banner>
        <PhoneFileNote />
      </div>
      <div ref={part} tabIndex={-1} className="outline-none">
        {state === undefined && <Skeleton className="h-40 w-full" />}
        {state === null && <NewExport />}
        {state != null && <RunningExport state={state} />}
      </div>
    </SettingsPage>
  );
}
