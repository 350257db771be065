// The text of a draft: a rich field, or a plain one in plain-text mode. Below it, "···" unfolds the
// quoted text, which can then be edited.
import { Ellipsis } from 'lucide-react';
import { type Ref, useImperativeHandle, useRef } from 'react';
import { t } from '../../lib/language.ts';
import type { DraftState } from './draft/draft-state.ts';
import { LazyRichEditor } from './rich/LazyRichEditor.tsx';
import type { RichContent, RichEditorHandle } from './rich/RichEditor.tsx';
import type { PictureRoom } from './rich/schema.ts';

/** Operations that a composer performs on its text. */
export type ComposerBodyHandle = {
  focus: (at: 'start' | 'end') => void;
  insert: (content: { readonly html: string; readonly text: string }) => void;
  /**
   * Replaces the signature under the text; null removes it. In plain text the old signature is
   * found by its wording.
   */
  setSignature: (signature: { readonly html: string; readonly text: string } | null, oldText: string) => void;
};

type ComposerBodyProps = {
  draft: Pick<DraftState, 'html' | 'text' | 'quote'>;
  isReadOnly: boolean;
  hasFormatBar: boolean;
  /** Initial caret position. */
  takesFocus: 'start' | 'end' | null;
  pictures: PictureRoom;
  onFiles: (files: readonly File[]) => void;
  onRich: (content: RichContent, isOwn: boolean) => void;
  onPlain: (text: string, isOwn: boolean) => void;
  onUnfold: () => void;
  handleRef: Ref<ComposerBodyHandle>;
};

function withSignature(text: string, before: string, next: string): string {
  const old = before === '' ? '' : `-- \n${before}`;
  const bare =
    old !== '' && text.trimEnd().endsWith(old) ? text.trimEnd().slice(0, -old.length).trimEnd() : text;
  return next === '' ? bare : `${bare.trimEnd()}\n\n-- \n${next}`;
}

/** The text field of a composer. */
export function ComposerBody(props: ComposerBodyProps) {
  const { draft, isReadOnly, onFiles, onRich, onPlain, onUnfold } = props;
  const { html, text, quote } = draft;
  const rich = useRef<RichEditorHandle>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useImperativeHandle(
    props.handleRef,
    () => ({
      focus: at => {
        rich.current?.focus(at);
        const field = plain.current;
        field?.focus();
        const caret = at === 'start' ? 0 : (field?.value.length ?? 0);
        field?.setSelectionRange(caret, caret);
      },
      insert: content => {
        rich.current?.insert(content.html);
        const field = plain.current;
        if (field === null) return;
        const { value, selectionStart, selectionEnd } = field;
        onPlain(value.slice(0, selectionStart) + content.text + value.slice(selectionEnd), true);
      },
      setSignature: (signature, oldText) => {
        rich.current?.setSignature(signature?.html ?? null);
        if (plain.current === null) return;
        const { draft: now } = latest.current;
        onPlain(withSignature(now.text, oldText, signature?.text ?? ''), false);
      },
    }),
    [onPlain],
  );
  if (html === null) {
    return (
      <textarea
        ref={plain}
        aria-label={t('Message')}
        dir="auto"
        value={text}
        readOnly={isReadOnly}
        // biome-ignore lint/a11y/noAutofocus: the composer was opened to write in it
        autoFocus={props.takesFocus !== null}
        onChange={event => onPlain(event.target.value, true)}
        className="min-h-32 flex-1 resize-none bg-transparent px-4 py-3.5 leading-[21px] -outline-offset-2"
      />
    );
  }
  const unfold = () => {
    if (quote === null) return;
    rich.current?.append(`<p></p>${quote.html}`);
    onUnfold();
  };
  return (
    <LazyRichEditor
      label={t('Message')}
      html={html}
      onChange={onRich}
      pictures={props.pictures}
      onFiles={onFiles}
      isReadOnly={isReadOnly}
      hasFormatBar={props.hasFormatBar}
      takesFocus={props.takesFocus}
      handleRef={rich}
      footer={
        quote !== null && (
          <button
            type="button"
            aria-label={t('Show quoted text')}
            data-tip={t('Show quoted text')}
            disabled={isReadOnly}
            onClick={unfold}
            className="ms-4 mb-3 inline-grid h-5 w-9 place-items-center rounded-full bg-well text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:h-11 pointer-coarse:w-14"
          >
            <Ellipsis size={16} />
          </button>
        )
      }
    />
  );
}
