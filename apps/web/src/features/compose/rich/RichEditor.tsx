// The rich text field of drafts and signatures: formatted text in, HTML and plain text out.
// Independent of drafts and messages; the sanitizer reads its content and rich-doc.ts writes it.
// Loaded through LazyRichEditor.
import { getSchema } from '@tiptap/core';
import type { Node as ModelNode, Schema } from '@tiptap/pm/model';
import { type Editor, EditorContent, type EditorOptions, useEditor } from '@tiptap/react';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { t } from '../../../lib/language.ts';
import { FormatBar } from './FormatBar.tsx';
import { LinkField } from './LinkField.tsx';
import { hasFormatting, type RichNode, writeHtml, writeText } from './rich-doc.ts';
import './rich-text.css';
import { readDocument, readSlice, takeTransfer } from './foreign-content.ts';
import { clipboardSerializer, type PictureRoom, richExtensions } from './schema.ts';

/** The content of the editor, in both forms of a message. */
export type RichContent = {
  html: string;
  text: string;
  /** Plain text alone would lose formatting. */
  hasFormatting: boolean;
};

/** Operations on an editor from outside. */
export type RichEditorHandle = {
  focus: (at: 'start' | 'end') => void;
  /** Inserts HTML at the caret. */
  insert: (html: string) => void;
  /** Appends HTML at the end, for example an unfolded quote. */
  append: (html: string) => void;
  /** Replaces the signature, adds one at the end, or removes it with null. */
  setSignature: (html: string | null) => void;
};

export type RichEditorProps = {
  label: string;
  /** Initial content; later changes of this prop are ignored. */
  html: string;
  /**
   * Called for every change by the user, and with `isOwn` false for the normalized initial content.
   */
  onChange: (content: RichContent, isOwn: boolean) => void;
  /** Without it the text cannot contain pictures. */
  pictures?: PictureRoom | undefined;
  /** Receives pasted or dropped files that are not pictures. */
  onFiles?: ((files: readonly File[]) => void) | undefined;
  isReadOnly?: boolean;
  /** Shows the formatting buttons; on phones they are behind a button of the composer. */
  hasFormatBar?: boolean;
  handleRef?: Ref<RichEditorHandle> | undefined;
  /** Initial caret position. */
  takesFocus?: 'start' | 'end' | null;
  /** Rendered below the text; scrolls with it. */
  footer?: ReactNode;
};

/**
 * Cache of converted document parts: a document shares its unchanged parts with the previous one.
 */
const readParts = new WeakMap<ModelNode, RichNode>();

function readPart(node: ModelNode): RichNode {
  if (node.isText || node.childCount === 0) return node.toJSON();
  const known = readParts.get(node);
  if (known !== undefined) return known;
  const part = {
    type: node.type.name,
    attrs: node.attrs,
    content: node.children.map(readPart),
    marks: node.marks.map(mark => mark.toJSON()),
  };
  readParts.set(node, part);
  return part;
}

function contentOf(editor: Editor): RichContent {
  const doc = readPart(editor.state.doc);
  return { html: writeHtml(doc), text: writeText(doc), hasFormatting: hasFormatting(doc) };
}

/** Marks a change that the user did not type. */
const quiet = 'quiet';

type Place = { readonly from: number; readonly to: number };

/** Returns the first block of a kind, or null. */
function findBlock(doc: ModelNode, name: string): Place | null {
  const found: Place[] = [];
  doc.forEach((node, offset) => {
    if (node.type.name === name) found.push({ from: offset, to: offset + node.nodeSize });
  });
  return found[0] ?? null;
}

function setSignature(editor: Editor, html: string | null): void {
  const { state, schema } = editor;
  const { tr, doc } = state;
  const type = schema.nodes.signature;
  const old = findBlock(doc, 'signature');
  if (html === null) {
    if (old !== null) tr.delete(old.from, old.to);
  } else if (type !== undefined) {
    const node = type.create(null, readDocument(schema, html, null).content);
    const line = schema.nodes.paragraph?.create();
    const end = findBlock(doc, 'forwarded')?.from ?? doc.content.size;
    const before = doc.resolve(end).nodeBefore;
    const isBlank = before?.content.size === 0 && end > before.nodeSize;
    if (old !== null) tr.replaceWith(old.from, old.to, node);
    else tr.insert(end, line === undefined || isBlank ? [node] : [line, node]);
  }
  editor.view.dispatch(tr.setMeta(quiet, true));
}

type EditorNeeds = {
  readonly label: string;
  readonly schema: Schema;
  readonly room: PictureRoom | null;
  readonly latest: RefObject<RichEditorProps>;
  /** Called for the link shortcut. */
  readonly onLink: () => void;
};

/** Sets the editor's label and its handling of keys, pasted content and dropped content. */
function editorPropsOf({ label, schema, room, latest, onLink }: EditorNeeds): EditorOptions['editorProps'] {
  return {
    attributes: {
      role: 'textbox',
      'aria-label': label,
      'aria-multiline': 'true',
      class: 'rich-text min-h-24 px-4 py-3.5 outline-none',
    },
    clipboardSerializer: clipboardSerializer(schema),
    // Runs before the editor's own handlers, which would parse pasted content unsanitized.
    handleDOMEvents: {
      // The editor would consume Escape and do nothing; Escape closes the surrounding dialog or
      // composer.
      keydown: (_view, event) => event.key === 'Escape' && !event.isComposing,
      paste: (view, event) => {
        const isTaken = takeTransfer(view, event.clipboardData, room, files =>
          latest.current.onFiles?.(files),
        );
        if (isTaken) event.preventDefault();
        return isTaken;
      },
      drop: (view, event) => {
        if (view.dragging !== null) return false;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null;
        const onFiles = (files: readonly File[]) => latest.current.onFiles?.(files);
        const isTaken = takeTransfer(view, event.dataTransfer, room, onFiles, at);
        if (isTaken) event.preventDefault();
        return isTaken;
      },
    },
    handleKeyDown: (_view, event) => {
      // This key sends; suppress the line break that the editor binds to it.
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return true;
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey)
        return false;
      event.preventDefault();
      event.stopPropagation();
      onLink();
      return true;
    },
  };
}

export function RichEditor(props: RichEditorProps) {
  const { label, html, pictures, isReadOnly = false, hasFormatBar = true, handleRef } = props;
  const latest = useRef(props);
  latest.current = props;
  const wantedFocus = useRef<'start' | 'end' | null>(null);
  const [isLinking, setLinking] = useState(false);
  const [room] = useState<PictureRoom | null>(() =>
    pictures === undefined
      ? null
      : {
          take: (file, contentId) => latest.current.pictures?.take(file, contentId),
          find: async contentId => (await latest.current.pictures?.find(contentId)) ?? null,
        },
  );
  const [extensions] = useState(() => richExtensions(room));
  const [schema] = useState(() => getSchema(extensions));
  const [beginning] = useState(() => readDocument(schema, html, room).toJSON());
  const editor = useEditor({
    extensions,
    // Never a string: the editor would pass it to the page's parser.
    content: beginning,
    injectCSS: false,
    textDirection: 'auto',
    editable: !isReadOnly,
    shouldRerenderOnTransaction: false,
    immediatelyRender: true,
    editorProps: editorPropsOf({ label, schema, room, latest, onLink: () => setLinking(true) }),
    onCreate: ({ editor: made }) => {
      latest.current.onChange(contentOf(made), false);
      const place = latest.current.takesFocus ?? wantedFocus.current;
      if (place) made.commands.focus(place);
    },
    onUpdate: ({ editor: changed, transaction }) =>
      latest.current.onChange(contentOf(changed), transaction.getMeta(quiet) !== true),
  });
  useEffect(() => {
    editor.setEditable(!isReadOnly, false);
  }, [editor, isReadOnly]);
  useImperativeHandle(
    handleRef,
    () => ({
      focus: at => {
        // The first editor is recreated when it is mounted on the page.
        if (editor.isDestroyed) wantedFocus.current = at;
        else editor.commands.focus(at);
      },
      insert: inserted => {
        const { view } = editor;
        view.dispatch(view.state.tr.replaceSelection(readSlice(view, inserted, room)).scrollIntoView());
        view.focus();
      },
      append: added => {
        const { view } = editor;
        const doc = readDocument(editor.schema, added, room);
        view.dispatch(view.state.tr.insert(view.state.doc.content.size, doc.content).setMeta(quiet, true));
      },
      setSignature: signature => setSignature(editor, signature),
    }),
    [editor, room],
  );
  return (
    <div className="flex min-h-36 flex-1 flex-col in-data-scrolling:flex-[1_0_auto]">
      <div className="relative min-h-0 flex-1 overflow-auto in-data-scrolling:min-h-40 in-data-scrolling:flex-[1_0_auto] in-data-scrolling:overflow-visible">
        <EditorContent editor={editor} />
        {props.footer}
      </div>
      {isLinking && <LinkField editor={editor} onClose={() => setLinking(false)} />}
      {hasFormatBar && !isReadOnly && (
        <FormatBar editor={editor} label={t('Formatting')} onLink={() => setLinking(true)} />
      )}
    </div>
  );
}
