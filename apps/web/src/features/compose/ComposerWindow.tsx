// One composer on the screen, connected to its draft session: what the session holds becomes the composer's props, what
// is typed goes back to it. Sending, closing and discarding tell the toasts.
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useOnline } from '../../lib/online.ts';
import { Banner } from '../../ui/Banner.tsx';
import { afterToast, showToast } from '../../ui/toasts.ts';
import { Composer, type ComposerActions } from './Composer.tsx';
import { changeComposer, dropComposer, type OpenComposer, restoreComposer } from './composers.ts';
import type { Addressee, DraftFile, DraftState, SaveState } from './draft-state.ts';
import { FromField } from './FromField.tsx';
import type { DraftFileView, DraftView, RecipientFieldName, RecipientView } from './view-model.ts';

const toRecipientView = ({ person, keys, isInvalid }: Addressee): RecipientView => {
  if (isInvalid) return { ...person, state: 'invalid' };
  if (keys === null) return { ...person, state: 'looking_up' };
  return { ...person, state: 'plaintext' in keys ? 'plain' : 'sealed' };
};

const toFileView = (file: DraftFile): DraftFileView => ({
  id: file.localId,
  name: file.name,
  sizeBytes: file.sizeBytes,
  state: file.stage,
  progressPercent: file.percent,
  ...(file.error === null ? {} : { error: file.error }),
});

const toDraftView = (save: SaveState): DraftView => {
  if (save.kind === 'saved') return { kind: 'saved', at: save.at };
  if (save.kind === 'saving') return { kind: 'saving' };
  return save.kind === 'failed' ? { kind: 'failed' } : { kind: 'none' };
};

const asTyped = ({ person, isInvalid }: Addressee) => ({ person, isInvalid });

/** The actions of a composer on its session. */
function useActions(composer: OpenComposer): ComposerActions {
  const { handle, session } = composer;
  const latest = useRef(composer);
  latest.current = composer;
  const cache = useQueryClient();
  return useMemo(() => {
    const refresh = () => void cache.invalidateQueries();
    const send = async (inTwoCopies: boolean) => {
      try {
        await session.send(inTwoCopies);
        dropComposer(handle);
        showToast({ tone: 'success', text: 'Sent' });
        refresh();
      } catch {
        // The reason stands in the composer.
      }
    };
    /** The draft goes when the toast does; until then it can be taken back with everything in it. */
    const discard = () => {
      const discarded = latest.current;
      let isBack = false;
      dropComposer(handle);
      const onAct = () => {
        isBack = true;
        restoreComposer(discarded);
      };
      const toast = showToast({ tone: 'success', text: 'Draft discarded', action: { label: 'Undo', onAct } });
      afterToast(toast, () => {
        // The button of a toast takes the toast away before it acts.
        queueMicrotask(() => !isBack && void leave(session.discard));
      });
    };
    const leave = async (work: () => Promise<void>) => {
      dropComposer(handle);
      try {
        await work();
      } catch (error) {
        showToast({ tone: 'danger', text: error instanceof Error ? error.message : 'Something failed' });
      }
      refresh();
    };
    return {
      onRecipientsAdd: (field: RecipientFieldName, typed) => {
        const added = typed.map(({ name, address, isValid }) => ({
          person: { name, address },
          isInvalid: !isValid,
        }));
        const before = session.state()[field].map(asTyped);
        const known = new Set(before.map(one => one.person.address.toLowerCase()));
        session.setPeople(field, [
          ...before,
          ...added.filter(one => !known.has(one.person.address.toLowerCase())),
        ]);
      },
      onRecipientRemove: (field, index) =>
        session.setPeople(
          field,
          session
            .state()
            [field].filter((_, at) => at !== index)
            .map(asTyped),
        ),
      onRecipientReview: () => undefined,
      onShowCcBcc: () => changeComposer(handle, { showsCcBcc: true }),
      onSubjectChange: subject => session.change({ subject }),
      onTextChange: text => session.change({ text }),
      onFiles: files => session.addFiles(files),
      onFileRemove: id => session.removeFile(id),
      onFileRetry: id => session.retryFile(id),
      onModeChange: mode =>
        changeComposer(handle, {
          mode,
          wantsFocus: mode !== 'minimised',
          ...(mode === 'inline' ? {} : { under: null }),
        }),
      onFocusTaken: () => changeComposer(handle, { wantsFocus: false }),
      onClose: () => void leave(session.close),
      onDiscard: discard,
      onSend: () => void send(false),
      onSendTwoCopies: () => void send(true),
      onRetrySave: () => void session.saveNow(),
    };
  }, [cache, handle, session]);
}

const noSuggestions = () => [];

function SendTrouble({ state }: { state: DraftState }) {
  return state.sendError === null ? null : (
    <Banner tone="danger" role="alert" icon={<CircleAlert size={16} />} title="Not sent">
      {state.sendError}
    </Banner>
  );
}

interface ComposerWindowProps {
  composer: OpenComposer;
  /** Where it stands while it is minimised. */
  barPlace?: number;
}

/** A composer and its session. */
export function ComposerWindow({ composer, barPlace = 0 }: ComposerWindowProps) {
  const { session, mode, showsCcBcc } = composer;
  const state = useSyncExternalStore(session.subscribe, session.state);
  const actions = useActions(composer);
  const isOnline = useOnline();
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isOnline || !isWaiting) return;
    setWaiting(false);
    actions.onSend();
  }, [isOnline, isWaiting, actions]);
  const sendOrWait = useMemo(
    () => (isOnline ? actions : { ...actions, onSend: () => setWaiting(waits => !waits) }),
    [isOnline, actions],
  );
  const recipients = useMemo(
    () => ({
      to: state.to.map(toRecipientView),
      cc: state.cc.map(toRecipientView),
      bcc: state.bcc.map(toRecipientView),
    }),
    [state.to, state.cc, state.bcc],
  );
  return (
    <Composer
      mode={mode}
      recipients={recipients}
      showsCcBcc={showsCcBcc}
      wantsFocus={composer.wantsFocus}
      barPlace={barPlace}
      subject={state.subject}
      text={state.text}
      files={state.files.map(toFileView)}
      draft={toDraftView(state.save)}
      isSending={state.isSending}
      hasFailed={state.sendError !== null}
      isOffline={!isOnline}
      isWaiting={isWaiting}
      suggestionsFor={noSuggestions}
      fromField={<FromField from={state.from} onChange={from => session.change({ from })} />}
      banner={<SendTrouble state={state} />}
      actions={sendOrWait}
    />
  );
}
