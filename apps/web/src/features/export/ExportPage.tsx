// `/app/config/account/export` (docs/export.md): exports all mail, a tag or a search result as one
// archive, created in the browser without a size limit or quota. The export continues while other
// pages are open, and resumes after the tab was closed.
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

/** Runs a slow action and provides its error message. */
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
        label={t('Messages to export')}
        value={kind}
        disabled={isBusy}
        options={[
          { value: 'all', label: t('All mail') },
          ...(tags.length === 0 ? [] : [{ value: 'tag' as const, label: t('Messages with a tag') }]),
          { value: 'search', label: t('Messages matching a search') },
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
          hint={t('Works like the search field, for example from:ines after:2025')}
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
          { value: 'mbox', label: t('MBOX (one file for all messages)') },
          { value: 'eml', label: t('EML (one file per message)') },
        ]}
        onChange={setFormat}
      />
      <div>
        <Button type="submit" busy={isBusy} disabled={kind !== 'all' && text === ''}>
          {t('Start export')}
        </Button>
      </div>
      <Problem title={t('Couldn’t start the export')} text={problem} />
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
      return t('Decrypting and packing messages on this device…');
    case 'paused':
      return t('Paused. Messages packed so far are stored encrypted on this device.');
    case 'done':
      return t('The export is ready. Save the file to finish.');
    case 'failed':
      return t(
        'The export stopped because the server couldn’t be reached or a file couldn’t be written. Check your connection, then continue.',
      );
    case 'full':
      return t(
        'The export stopped because this device is out of storage. Free up some space, then continue.',
      );
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
      title={isDone ? t('Remove this export?') : t('Cancel this export?')}
      confirmLabel={isDone ? t('Remove') : t('Cancel export')}
      cancelLabel={isDone ? t('Keep export') : t('Keep exporting')}
      busy={isBusy}
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      {t('The packed messages are removed from this device. Your mailbox isn’t affected.')}
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
    <section aria-label={t('Current export')} className="rounded-card border border-line p-5">
      <h2 dir="auto" className="text-pane font-semibold wrap-anywhere">
        {scopeWords(state)}
      </h2>
      <p className="mb-4 text-meta text-ink-3">
        {t('Started {when}', { when: formatFullDate(new Date(beganAt)) })}
      </p>
      <Progress
        thick
        label={t('Current export')}
        value={total === 0 ? 100 : (100 * done) / total}
        tone={hasStopped ? 'danger' : 'accent'}
      />
      <p className="mt-2 text-control text-ink-2 tabular-nums">
        {t('{done} of {total} messages, {size}', {
          done: formatCount(done),
          total: formatCount(total),
          size: formatSize(bytes),
        })}
      </p>
      {perMinute !== null && perMinute >= 1 && (
        <p className="mt-1 text-control text-ink-2 tabular-nums">
          {t('{count} per minute', { count: formatCount(Math.round(perMinute)) })}
          {', '}
          {leftText(((total - done) / perMinute) * MINUTE_MS)}
        </p>
      )}
      <PhaseLine state={state} hasStopped={hasStopped} />
      {failed > 0 && (
        <p className="mt-1 text-control text-warn">
          {t(
            '{count, plural, one {# message couldn’t be decrypted or no longer exists. It is listed in manifest.json.} other {# messages couldn’t be decrypted or no longer exist. They are listed in manifest.json.}}',
            { count: failed },
          )}
        </p>
      )}
      {wasSaved && saving.problem === null && (
        <p role="status" className="mt-1 text-control text-success">
          {t('{count, plural, one {Saved # message.} other {Saved # messages.}}', { count: mails })}
        </p>
      )}
      {phase === 'done' && (
        <p className="mt-1 text-control text-ink-2">
          {t('To start another export, save this one, then remove it here. The saved file isn’t affected.')}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {/* One button for all states, so that it keeps the focus. */}
        <Button
          variant={phase === 'running' ? 'outline' : 'primary'}
          busy={saving.isBusy}
          onClick={() => void goOn()}
        >
          {phase === 'done' && !saving.isBusy && <Download aria-hidden size={15} />}
          {phase === 'done' ? t('Save file') : phase === 'running' ? t('Pause') : t('Continue')}
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
        <Problem title={t('Couldn’t save the export')} text={saving.problem} />
        <Problem title={t('Couldn’t remove the export')} text={removing.problem} />
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

export function ExportPage() {
  const state = useExport();
  const part = useKeptFocus<HTMLDivElement>(state == null ? 'new' : 'running');
  return (
    <SettingsPage
      title={t('Export')}
      text={
        isNative()
          ? t(
              'Save your messages, attachments, tags and contacts as one ZIP file. The file is created on this device and never sent to the server.',
            )
          : t(
              'Save your messages, attachments, tags and contacts as one ZIP file. The file is created in your browser and never sent to the server.',
            )
      }
    >
      <div className="mb-5">
        <Banner tone="warn" icon={<ShieldAlert size={18} />} title={t('The exported file isn’t encrypted')}>
          {t('Anyone with the file can read your mail. Store it where only you have access.')}
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
