// The messages of the open conversation as the reader shows them: fetches and opens the expanded
// ones, looks up their senders' keys, and adds the bodies that use-shown-bodies.ts sanitized.
import { useEffect, useMemo, useState } from 'react';
import { type PicturesOf, useMeasuredPictures } from '../../frame/use-measured-pictures.ts';
import type { MailRowData } from '../../state/mail-cache.ts';
import type { WholeMail } from '../../state/queries.ts';
import type { MessageView } from '../../state/view-model.ts';
import { type ShownBody, toClosedView, toJudgedView, toOpenView } from '../message-view.ts';
import { loadSenderChoices } from '../safety/sender-choices.ts';
import { useSenderProofs } from '../safety/use-sender-proofs.ts';
import { useRemotePictures } from './use-remote-pictures.ts';
import { useShownBodies } from './use-shown-bodies.ts';
import { useWholes } from './use-wholes.ts';

/**
 * Returns the views of a conversation's messages, and the opened messages by id. `allowsRemote`
 * returns whether the remote pictures of an opened message may be fetched.
 */
export function useMessages(
  rows: readonly MailRowData[],
  openIds: ReadonlySet<string>,
  allowsRemote: (message: MessageView) => boolean,
) {
  const { wholes, judged, error, isRetrying, retry } = useWholes(rows, openIds);
  const proofOf = useSenderProofs(wholes, judged);
  const [pictures, want] = useRemotePictures();
  const [inFull, setInFull] = useState<ReadonlySet<string>>(new Set());
  const shown = useShownBodies(wholes, pictures, inFull);
  const pictured = useMemo(() => picturesOf(wholes, shown), [wholes, shown]);
  const [hidden, measure] = useMeasuredPictures(pictured);
  const views = useMemo(
    () =>
      rows.map((row): MessageView => {
        const whole = wholes.get(row.mail.id);
        if (whole === undefined) {
          const known = judged.get(row.mail.id);
          return known === undefined ? toClosedView(row) : toJudgedView(row, known, proofOf(known));
        }
        const body = withHidden(shown.get(row.mail.id) ?? cleaningBody, hidden.get(row.mail.id) ?? 0);
        const showWhole = () => setInFull(before => new Set(before).add(row.mail.id));
        return toOpenView(row, whole, withShowWhole(body, showWhole), proofOf(whole));
      }),
    [rows, wholes, judged, shown, hidden, proofOf],
  );
  useEffect(() => {
    if (views.some(asksForChoice)) loadSenderChoices();
    const allowed = views.filter(view => wholes.has(view.id) && allowsRemote(view));
    want(
      new Map(
        allowed.map(({ id, remote }) => [
          id,
          {
            urls: remote?.urls ?? [],
            measure: () => measure(id),
          },
        ]),
      ),
    );
  }, [views, wholes, allowsRemote, want, measure]);
  return { views, wholes, error, isRetrying, retry };
}

/** Returns whether a choice about the sender would change how the message is shown. */
const asksForChoice = ({ remote, body }: MessageView): boolean =>
  remote !== null || (body.kind === 'html' && body.hasOwnColors);

/** Returns the picture URLs of open messages, with the HTML that contains them. */
const picturesOf = (
  wholes: ReadonlyMap<string, WholeMail>,
  shown: ReadonlyMap<string, ShownBody>,
): PicturesOf =>
  new Map(
    [...wholes].flatMap(([id, { content }]) => {
      const urls = shown.get(id)?.remote?.urls ?? [];
      const html = content.parsed.html ?? '';
      return urls.length === 0 ? [] : [[id, { html, urls }] as const];
    }),
  );

/**
 * Counts hidden pictures as trackers as soon as they are known. Once pictures have been loaded,
 * they are already included.
 */
const withHidden = (shown: ShownBody, hidden: number): ShownBody =>
  shown.remote === null || shown.remote.loading !== null || hidden === 0
    ? shown
    : { ...shown, remote: { ...shown.remote, knownTrackers: shown.remote.knownTrackers + hidden } };

/** Adds the function that shows the rest of a long body. */
const withShowWhole = (shown: ShownBody, showWhole: () => void): ShownBody =>
  shown.body.kind === 'html' && shown.body.openWhole !== undefined
    ? { ...shown, body: { ...shown.body, showWhole } }
    : shown;

const cleaningBody: ShownBody = { body: { kind: 'loading' }, remote: null };
