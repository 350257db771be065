/**
 * One composer on the screen, connected to its draft session: maps the session's state to the
 * composer's props and passes edits back. The actions are in use-draft-actions.ts.
 */
import { ATTACHMENT_MAX_BYTES } from '@keyfold/contract/limits';
import { CircleAlert, Lock, Type } from 'lucide-react';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { t } from '../../lib/language.ts';
import { usePhone } from '../../lib/media.ts';
import { useOnline } from '../../lib/online.ts';
import { formatSize } from '../../lib/sizes.ts';
import { isOfflineSession } from '../../session/session.ts';
import { useUser } from '../../session/state/current-user.ts';
import { useAddressBook } from '../../session/trust/address-book.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { showToast } from '../../ui/toasts.ts';
import { InviteButton } from '../calendar/InviteButton.tsx';
import { Composer } from './Composer.tsx';
import { ComposerBody } from './ComposerBody.tsx';
import { ComposerDialogs, type ComposerOverlay } from './ComposerDialogs.tsx';
import { addresseesOf, type DraftState, filesInUse } from './draft/draft-state.ts';
import { toComposerPhase, toDraftView, toFileView, toRecipientView } from './draft/draft-view.ts';
import { FromField } from './FromField.tsx';
import { MoreMenu } from './MoreMenu.tsx';
import { useSuggestions } from './recipients/use-recipient-fields.ts';
import { htmlOfText } from './rich/rich-doc.ts';
import { ScheduleMenu } from './sending/ScheduleMenu.tsx';
import { useSendRequest } from './sending/use-send-request.ts';
import { SignatureMenu } from './text/SignatureMenu.tsx';
import { totalBytes, useDraftActions } from './use-draft-actions.ts';
import { useDraftText } from './use-draft-text.ts';
import type { OpenComposer } from './windows/composer-list.ts';
import { loadDraftWindows } from './windows/composers.ts';

type ComposerWindowProps = {
  composer: OpenComposer;
  /** Position in the row while minimized. */
  barPlace?: number;
};

/** Returns the recipients with the encryption each one gets. */
function useRecipients({ to, cc, bcc }: Pick<DraftState, 'to' | 'cc' | 'bcc'>) {
  const book = useAddressBook();
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is trusted is read from the book
  return useMemo(
    () => ({ to: to.map(toRecipientView), cc: cc.map(toRecipientView), bcc: bcc.map(toRecipientView) }),
    [to, cc, bcc, book],
  );
}

/**
 * Returns the files to list in a composer (inline pictures only until they are uploaded) and the
 * total size of all of them.
 */
function fileViews(state: DraftState) {
  const files = filesInUse(state);
  const listed = files.filter(({ contentId, stage }) => contentId === null || stage !== 'done');
  const sizes = { total: formatSize(totalBytes(files)), limit: formatSize(ATTACHMENT_MAX_BYTES) };
  return { files: listed.map(toFileView), fileTotal: t('{total} of {limit}', sizes) };
}

/** Shows that another tab has the draft open, or why sending failed. */
function ComposerBanner({ composer, state }: { composer: OpenComposer; state: DraftState }) {
  const takeOver = () =>
    loadDraftWindows()
      .then(({ takeOver: take }) => take(composer))
      .catch((error: Error) => showToast({ tone: 'danger', text: error.message }));
  if (state.phase === 'elsewhere')
    return (
      <Banner tone="info" icon={<Lock size={16} />} title={t('This draft is being edited in another tab.')}>
        <Button variant="inherit" size="xs" onClick={() => void takeOver()}>
          {t('Edit here')}
        </Button>
      </Banner>
    );
  if (state.sendError === null) return null;
  return (
    <Banner tone="danger" role="alert" icon={<CircleAlert size={16} />} title={t('Not sent')}>
      {state.sendError}
    </Banner>
  );
}

/** The buttons after Send: formatting bar, signature, invitation. */
function FootButtons(props: {
  state: DraftState;
  text: ReturnType<typeof useDraftText>;
  isReadOnly: boolean;
  isBusy: boolean;
  showsFormat: boolean;
  onShowFormat: (shows: boolean) => void;
  onInvited: () => void;
}) {
  const { state, text, isReadOnly, showsFormat } = props;
  return (
    <>
      {!text.isPlain && (
        <IconButton
          label={t('Formatting')}
          aria-pressed={showsFormat}
          disabled={isReadOnly}
          onClick={() => props.onShowFormat(!showsFormat)}
        >
          <Type size={17} />
        </IconButton>
      )}
      <SignatureMenu chosenId={state.signatureId} isDisabled={isReadOnly} onChoose={text.chooseSignature} />
      <InviteButton
        guests={[...state.to, ...state.cc].filter(one => !one.isInvalid).map(({ person }) => person)}
        organizer={state.from}
        subject={state.subject}
        message={state.text}
        isDisabled={props.isBusy}
        onSent={props.onInvited}
      />
    </>
  );
}

export function ComposerWindow({ composer, barPlace = 0 }: ComposerWindowProps) {
  const { session } = composer;
  const state = useSyncExternalStore(session.subscribe, session.state);
  const actions = useDraftActions(composer);
  // Re-renders when the user changes: a session opened offline sets the user again when it connects
  // to the server.
  useUser();
  const isOnline = useOnline() && !isOfflineSession();
  const isPhone = usePhone();
  const [overlay, setOverlay] = useState<ComposerOverlay>(null);
  const [showsFormat, setShowsFormat] = useState(!isPhone);
  const [takesFocus] = useState<'start' | 'end' | null>(() =>
    composer.wantsFocus && state.to.length > 0 ? (state.draftId === null ? 'start' : 'end') : null,
  );
  const { send, asked, answer } = useSendRequest(composer, state, actions.send);
  const text = useDraftText(session, state, actions.takeFiles);
  const { body, isPlain } = text;
  const togglePlain = () => {
    if (isPlain) text.toRich();
    else if (state.isFormatted) setOverlay({ kind: 'losesFormat' });
    else text.toPlain();
  };
  const phase = toComposerPhase(state);
  const isReadOnly = phase === 'readOnly';
  const isBusy = isReadOnly || phase === 'sending';
  return (
    <>
      <Composer
        mode={composer.mode}
        recipients={useRecipients(state)}
        showsCcBcc={composer.showsCcBcc}
        wantsFocus={composer.wantsFocus}
        barPlace={barPlace}
        subject={state.subject}
        text={state.text}
        {...fileViews(state)}
        draft={toDraftView(state.save)}
        phase={phase}
        isOffline={!isOnline}
        suggestionsFor={useSuggestions()}
        fromField={<FromField from={state.from} isReadOnly={isReadOnly} onChange={text.writeFrom} />}
        banner={<ComposerBanner composer={composer} state={state} />}
        editorRef={body}
        editor={
          <ComposerBody
            key={isPlain ? 'plain' : 'rich'}
            handleRef={body}
            draft={state}
            isReadOnly={isReadOnly}
            hasFormatBar={showsFormat}
            takesFocus={takesFocus}
            pictures={text.pictures}
            onFiles={actions.takeFiles}
            onRich={text.onRich}
            onPlain={text.onPlain}
            onUnfold={() => session.change({ quote: null })}
          />
        }
        sendMenu={<ScheduleMenu isDisabled={isBusy} onSchedule={at => send({ copies: 1, at })} />}
        footStart={
          <FootButtons
            {...{ state, text, isReadOnly, isBusy, showsFormat }}
            onShowFormat={setShowsFormat}
            onInvited={actions.onInvited}
          />
        }
        footEnd={
          <MoreMenu
            isPlain={isPlain}
            isDisabled={isReadOnly}
            onTogglePlain={togglePlain}
            onTemplates={() => setOverlay({ kind: 'templates' })}
            onPickTime={isPhone ? () => setOverlay({ kind: 'pickTime' }) : undefined}
          />
        }
        actions={{
          ...actions,
          onSend: () => send({ copies: 1, at: null }),
          onSendTwoCopies: () => send({ copies: 2, at: null }),
          onVerify: recipient => setOverlay({ kind: 'verify', recipient }),
        }}
      />
      <ComposerDialogs
        asked={asked}
        onAnswer={answer}
        overlay={overlay}
        onClose={() => setOverlay(null)}
        current={{ html: state.html ?? htmlOfText(state.text), text: state.text }}
        onInsert={template => body.current?.insert(template)}
        onPickTime={at => send({ copies: 1, at })}
        onPlain={text.toPlain}
        onVerified={() => void session.lookUp(addresseesOf(session.state())).catch(() => undefined)}
      />
    </>
  );
}
