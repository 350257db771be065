/**
 * Connects the text of a composer with its session: what the editor reports, the signature of the
 * sender address, and switching to plain text and back.
 */
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Person } from '../../crypto/mail/outgoing-message.ts';
import type { ComposerBodyHandle } from './ComposerBody.tsx';
import type { DraftSession } from './draft/draft-session.ts';
import type { DraftFields, DraftState } from './draft/draft-state.ts';
import { joinText } from './draft/message-body.ts';
import type { RichContent } from './rich/RichEditor.tsx';
import { htmlOfText } from './rich/rich-doc.ts';
import type { ChosenSignature } from './text/SignatureMenu.tsx';
import { useAddressSignature } from './text/use-address-signature.ts';

/** `takeFiles` receives an inline picture with its Content-ID. */
export function useDraftText(
  session: DraftSession,
  state: DraftState,
  takeFiles: (files: readonly File[], contentId?: string) => void,
) {
  const body = useRef<ComposerBodyHandle>(null);
  /** The editor has reported its normalized initial content. */
  const [hasEditor, setHasEditor] = useState(false);
  const isPlain = state.html === null;

  const write = useCallback(
    (fields: DraftFields, isOwn: boolean) => (isOwn ? session.change(fields) : session.adopt(fields)),
    [session],
  );
  const onPlain = useCallback((text: string, isOwn: boolean) => write({ text }, isOwn), [write]);
  const onRich = ({ html, text, hasFormatting }: RichContent, isOwn: boolean) => {
    setHasEditor(true);
    write({ html, text, isFormatted: hasFormatting }, isOwn);
  };
  const pictures = useMemo(
    () => ({
      take: (file: File, contentId: string) => takeFiles([file], contentId),
      find: session.files.findPicture,
    }),
    [takeFiles, session],
  );

  const choose = (signature: ChosenSignature | null, isOwn: boolean, oldText = state.signatureText) => {
    body.current?.setSignature(
      signature === null ? null : { html: signature.html_content, text: signature.plain_text },
      oldText,
    );
    const signatureText = signature?.plain_text.trimEnd() ?? '';
    write({ signatureId: signature?.id ?? null, signatureText }, isOwn);
  };
  const signatureFor = useAddressSignature(state, hasEditor || isPlain, signature =>
    choose(signature, false),
  );

  return {
    body,
    isPlain,
    onPlain,
    onRich,
    pictures,
    chooseSignature: (signature: ChosenSignature | null) => choose(signature, true),
    writeFrom: (from: Person) => {
      const change = signatureFor(from.address);
      session.change({ from });
      if (change !== null) choose(change.next, true, change.oldText);
    },
    toRich: () => session.change({ html: htmlOfText(state.text) }),
    /** Discards formatting and inline pictures. */
    toPlain: () =>
      session.change({
        html: null,
        isFormatted: false,
        text: joinText(state.text, state.quote),
        quote: null,
      }),
  };
}
