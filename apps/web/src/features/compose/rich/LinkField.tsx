// The row that creates or changes a link: address, Apply, Remove. Accepts web and mail links only;
// a bare host gets https.
import type { Editor } from '@tiptap/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { Button } from '../../../ui/Button.tsx';
import { findLinkTarget } from './rich-doc.ts';

type LinkFieldProps = {
  editor: Editor;
  onClose: () => void;
};

/** Edits the link at the caret, or links the selection. */
export function LinkField({ editor, onClose }: LinkFieldProps) {
  const old = String(editor.getAttributes('link').href ?? '');
  const [text, setText] = useState(old);
  const [isWrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const wrongId = useId();
  useEffect(() => input.current?.select(), []);
  const leave = () => {
    onClose();
    editor.view.focus();
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const href = findLinkTarget(text);
    if (href === null) {
      setWrong(true);
      input.current?.focus();
      return;
    }
    editor.view.focus();
    const chain = editor.chain().extendMarkRange('link');
    // With an empty selection the address becomes the link text.
    if (editor.state.selection.empty && old === '')
      chain
        .insertContent({ type: 'text', text: text.trim(), marks: [{ type: 'link', attrs: { href } }] })
        .run();
    else {
      chain.setLink({ href }).run();
      // Text typed next continues after the link instead of replacing it.
      editor.chain().setTextSelection(editor.state.selection.to).unsetMark('link').run();
    }
    onClose();
  };
  const remove = () => {
    editor.view.focus();
    editor.chain().extendMarkRange('link').unsetLink().run();
    onClose();
  };
  return (
    <form
      aria-label={t('Link')}
      onSubmit={apply}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        leave();
      }}
      className="flex shrink-0 flex-wrap items-center gap-1.5 border-t border-line px-3 py-2"
    >
      <input
        ref={input}
        aria-label={t('Link address')}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? wrongId : undefined}
        placeholder="https://"
        dir="ltr"
        value={text}
        onChange={event => {
          setText(event.target.value);
          setWrong(false);
        }}
        className="h-8 min-w-40 flex-1 rounded-control border border-line-strong bg-surface px-2.5 aria-invalid:border-danger pointer-coarse:h-11"
      />
      <Button type="submit" size="sm">
        {t('Apply')}
      </Button>
      {old !== '' && (
        <Button variant="quiet" size="sm" onClick={remove}>
          {t('Remove link')}
        </Button>
      )}
      <Button variant="quiet" size="sm" onClick={leave}>
        {t('Cancel')}
      </Button>
      {isWrong && (
        <p id={wrongId} role="alert" className="w-full text-meta text-danger">
          {t('Enter a web or email address')}
        </p>
      )}
    </form>
  );
}
