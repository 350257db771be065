// One composer on the screen, connected to its draft session: what the session holds becomes the composer's props, what
// is typed goes back to it. The actions are use-letter-actions.ts's.
import { ATTACHMENT_MAX_BYTES } from '@keyfold/contract/limits';
import { CircleAlert, Lock, Type } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Person } from '../../crypto/mail/letter.ts';
import { t } from '../../lib/language.ts';
import { usePhone } from '../../lib/media.ts';
import { useOnline } from '../../lib/online.ts';
import { formatSize } from '../../lib/sizes.ts';
import { isOfflineSession } from '../../session/session.ts';
import { useUser } from '../../session/state/current-user.ts';
import { useAddressBook } from '../../session/trust/address-book.ts';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { showToast } from '../../ui/toasts.ts';
import { InviteButton } from '../calendar/InviteButton.tsx';
import { LazyVerifyDialog } from '../contacts/LazyVerifyDialog.tsx';
import { Composer } from './Composer.tsx';
import { ComposerBody, type ComposerBodyHandle } from './ComposerBody.tsx';
import { addresseesOf, filesInUse, findSendObstacle, isGoingOut } from './draft/draft-state.ts';
import { toDraftView, toFileView, toRecipientView } from './draft/draft-view.ts';
import { joinText } from './draft/letter-body.ts';
import type { RecipientView } from './draft/view-model.ts';
import { waitFor } from './draft/waiting-letters.ts';
import { FromField } from './FromField.tsx';
import { changeComposer, type OpenComposer } from './letters/composer-list.ts';
import { letters } from './letters/composers.ts';
import { MoreMenu } from './MoreMenu.tsx';
import { suggestPeople, warmPeople } from './recipients/people.ts';
import { htmlOfText } from './rich/rich-doc.ts';
import { PickTimeDialog } from './sending/PickTimeDialog.tsx';
import { findReminders, type Reminder } from './sending/reminders.ts';
import { ScheduleMenu } from './sending/ScheduleMenu.tsx';
import { SendQuestion } from './sending/SendQuestion.tsx';
import { useWaitingLetter } from './sending/use-waiting-letter.ts';
import { type ChosenSignature, SignatureMenu } from './text/SignatureMenu.tsx';
import { TemplatesDialog } from './text/TemplatesDialog.tsx';
import { useAddressSignature } from './text/use-address-signature.ts';
import { totalBytes, useLetterActions } from './use-letter-actions.ts';

interface ComposerWindowProps {
  composer: OpenComposer;
  /** Where it stands while it is minimised. */
  barPlace?: number;
}

type Asked = {
  readonly inTwoCopies: boolean;
  readonly at: Date | null;
  readonly reminders: readonly Reminder[];
};

type Overlay = 'templates' | 'pickTime' | 'losesFormat' | null;

/** A composer and its session. */
export function ComposerWindow({ composer, barPlace = 0 }: ComposerWindowProps) {
  const { session, mode, showsCcBcc } = composer;
  const state = useSyncExternalStore(session.subscribe, session.state);
  const actions = useLetterActions(composer);
  // The user is set anew when a session that was opened offline joins the server.
  useUser();
  const isOnline = useOnline() && !isOfflineSession();
  const isPhone = usePhone();
  const body = useRef<ComposerBodyHandle>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const wasAsked = useRef<ReadonlySet<Reminder>>(new Set());
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [verified, setVerified] = useState<RecipientView | null>(null);
  const [showsFormat, setShowsFormat] = useState(!isPhone);
  const [takesFocus] = useState<'start' | 'end' | null>(() =>
    composer.wantsFocus && state.to.length > 0 ? (state.draftId === null ? 'start' : 'end') : null,
  );
  // What is typed before they are here is suggested for once they are.
  const [suggestionsFor, setSuggestionsFor] = useState(() => suggestPeople);
  useEffect(
    () => void warmPeople().then(() => setSuggestionsFor(() => (text: string) => suggestPeople(text))),
    [],
  );
  useWaitingLetter(composer, state.wait !== null, actions.send);
  const goOrWait = ({ inTwoCopies, at }: Asked) => {
    if (navigator.onLine && !isOfflineSession()) void actions.send(inTwoCopies, at);
    else session.hold(waitFor(session.state(), inTwoCopies, at));
  };
  /** Each thing is asked about once. */
  const send = (inTwoCopies: boolean, at: Date | null) => {
    if (state.wait !== null) return session.hold(null);
    const reminders = findReminders(session.state()).filter(one => !wasAsked.current.has(one));
    const wish = { inTwoCopies, at, reminders };
    if (reminders.length > 0) setAsked(wish);
    else goOrWait(wish);
  };
  const canGoByItself = composer.sendsItself === true && findSendObstacle(state) === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when nothing stands in the way any more
  useEffect(() => {
    if (!canGoByItself) return;
    changeComposer(composer.handle, { sendsItself: false });
    send(false, null);
  }, [canGoByItself]);
  const book = useAddressBook();
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is trusted is read from the book
  const recipients = useMemo(
    () => ({
      to: state.to.map(toRecipientView),
      cc: state.cc.map(toRecipientView),
      bcc: state.bcc.map(toRecipientView),
    }),
    [state.to, state.cc, state.bcc, book],
  );
  const pictures = useMemo(
    () => ({
      take: (file: File, contentId: string) => actions.takeFiles([file], contentId),
      find: session.files.findPicture,
    }),
    [actions, session],
  );
  const onPlain = useCallback(
    (text: string, isOwn: boolean) => (isOwn ? session.change({ text }) : session.adopt({ text })),
    [session],
  );
  const choose = (signature: ChosenSignature | null, isOwn: boolean, oldText = state.signatureText) => {
    body.current?.setSignature(
      signature === null ? null : { html: signature.html_content, text: signature.plain_text },
      oldText,
    );
    const fields = {
      signatureId: signature?.id ?? null,
      signatureText: signature?.plain_text.trimEnd() ?? '',
    };
    if (isOwn) session.change(fields);
    else session.adopt(fields);
  };
  /** The editor has reported what it made of its beginning. */
  const [hasEditor, setHasEditor] = useState(false);
  const signatureFor = useAddressSignature(state, hasEditor || state.html === null, signature =>
    choose(signature, false),
  );
  const writeFrom = (from: Person) => {
    const change = signatureFor(from.address);
    session.change({ from });
    if (change !== null) choose(change.next, true, change.oldText);
  };
  const isPlain = state.html === null;
  const toPlain = () => {
    setOverlay(null);
    session.change({ html: null, isFormatted: false, text: joinText(state.text, state.quote), quote: null });
  };
  const togglePlain = () => {
    if (isPlain) session.change({ html: htmlOfText(state.text) });
    else if (state.isFormatted) setOverlay('losesFormat');
    else toPlain();
  };
  const files = filesInUse(state);
  const listed = files.filter(({ contentId, stage }) => contentId === null || stage !== 'done');
  const isReadOnly = state.phase === 'elsewhere';
  const isSending = isGoingOut(state.phase);
  const takeOver = () =>
    letters()
      .then(({ takeOver: take }) => take(composer))
      .catch((error: Error) => showToast({ tone: 'danger', text: error.message }));
  const banner = isReadOnly ? (
    <Banner tone="info" icon={<Lock size={16} />} title={t('Being edited in another tab.')}>
      <Button variant="inherit" size="xs" onClick={() => void takeOver()}>
        {t('Take over')}
      </Button>
    </Banner>
  ) : (
    state.sendError !== null && (
      <Banner tone="danger" role="alert" icon={<CircleAlert size={16} />} title={t('Not sent')}>
        {state.sendError}
      </Banner>
    )
  );
  return (
    <>
      <Composer
        mode={mode}
        recipients={recipients}
        showsCcBcc={showsCcBcc}
        wantsFocus={composer.wantsFocus}
        barPlace={barPlace}
        subject={state.subject}
        text={state.text}
        files={listed.map(toFileView)}
        fileTotal={t('{total} of {limit}', {
          total: formatSize(totalBytes(files)),
          limit: formatSize(ATTACHMENT_MAX_BYTES),
        })}
        draft={toDraftView(state.save)}
        isSending={isSending}
        hasFailed={state.sendError !== null}
        isOffline={!isOnline}
        isWaiting={state.wait !== null}
        isReadOnly={isReadOnly}
        suggestionsFor={suggestionsFor}
        fromField={<FromField from={state.from} isReadOnly={isReadOnly} onChange={writeFrom} />}
        banner={banner}
        editorRef={body}
        editor={
          <ComposerBody
            key={isPlain ? 'plain' : 'rich'}
            handleRef={body}
            draft={state}
            isReadOnly={isReadOnly}
            hasFormatBar={showsFormat}
            takesFocus={takesFocus}
            pictures={pictures}
            onFiles={actions.takeFiles}
            onRich={({ html, text, hasFormatting }, isOwn) => {
              const fields = { html, text, isFormatted: hasFormatting };
              setHasEditor(true);
              if (isOwn) session.change(fields);
              else session.adopt(fields);
            }}
            onPlain={onPlain}
            onUnfold={() => session.change({ quote: null })}
          />
        }
        sendMenu={<ScheduleMenu isDisabled={isReadOnly || isSending} onSchedule={at => send(false, at)} />}
        footStart={
          <>
            {!isPlain && (
              <IconButton
                label={t('Formatting')}
                aria-pressed={showsFormat}
                disabled={isReadOnly}
                onClick={() => setShowsFormat(shows => !shows)}
              >
                <Type size={17} />
              </IconButton>
            )}
            <SignatureMenu
              chosenId={state.signatureId}
              isDisabled={isReadOnly}
              onChoose={signature => choose(signature, true)}
            />
            <InviteButton
              guests={[...state.to, ...state.cc].filter(one => !one.isInvalid).map(({ person }) => person)}
              organizer={state.from}
              subject={state.subject}
              message={state.text}
              isDisabled={isSending || isReadOnly}
              onSent={actions.onInvited}
            />
          </>
        }
        footEnd={
          <MoreMenu
            isPlain={isPlain}
            isDisabled={isReadOnly}
            onTogglePlain={togglePlain}
            onTemplates={() => setOverlay('templates')}
            onPickTime={isPhone ? () => setOverlay('pickTime') : undefined}
          />
        }
        actions={{
          ...actions,
          onSend: () => send(false, null),
          onSendTwoCopies: () => send(true, null),
          onVerify: setVerified,
        }}
      />
      {asked !== null && (
        <SendQuestion
          reminders={asked.reminders}
          onBack={() => {
            wasAsked.current = new Set([...wasAsked.current, ...asked.reminders]);
            setAsked(null);
          }}
          onSend={() => {
            setAsked(null);
            goOrWait(asked);
          }}
        />
      )}
      {verified !== null && (
        <LazyVerifyDialog
          {...verified}
          onClose={() => {
            setVerified(null);
            void session.lookUp(addresseesOf(session.state())).catch(() => undefined);
          }}
        />
      )}
      {overlay === 'losesFormat' && (
        <AlertDialog
          open
          title={t('Use plain text?')}
          confirmLabel={t('Use plain text')}
          onConfirm={toPlain}
          onCancel={() => setOverlay(null)}
        >
          {t('Formatting and pictures in the text will be lost.')}
        </AlertDialog>
      )}
      {overlay === 'pickTime' && (
        <PickTimeDialog
          onClose={() => setOverlay(null)}
          onPick={at => {
            setOverlay(null);
            send(false, at);
          }}
        />
      )}
      {overlay === 'templates' && (
        <TemplatesDialog
          current={{ html: state.html ?? htmlOfText(state.text), text: state.text }}
          onClose={() => setOverlay(null)}
          onInsert={template => {
            setOverlay(null);
            body.current?.insert(template);
          }}
        />
      )}
    </>
  );
}
