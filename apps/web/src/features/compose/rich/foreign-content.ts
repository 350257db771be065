// Content that enters the editor from outside: HTML of drafts, signatures, quotes and the clipboard
// always passes the mail sanitizer and is never handed to the page's parser as a string. Also
// separates pictures and files in pasted or dropped content.
import { sanitizeForEditing } from '@keyfold/mail/sanitize';
import { type Node as ModelNode, DOMParser as ModelParser, type Schema, type Slice } from '@tiptap/pm/model';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import { cellAround, handlePaste as pasteCells } from '@tiptap/pm/tables';
import type { EditorView } from '@tiptap/pm/view';
import { randomId } from '../../../lib/random-id.ts';
import type { PictureRoom } from './schema.ts';

/** File types inserted as inline pictures: those that every mail program displays. */
const shownTypes = /^image\/(?:png|jpe?g|gif|webp)$/i;

/** Returns whether a file can be an inline picture. */
export const isPicture = (file: File): boolean => shownTypes.test(file.type);

function readDataUrl(address: string): File | null {
  const found = /^data:(image\/[a-z.+-]+)[^,]*;base64,(.+)$/is.exec(address);
  const [, type, content] = found ?? [];
  if (type === undefined || content === undefined || !shownTypes.test(type)) return null;
  try {
    const bytes = Uint8Array.from(atob(content), char => char.charCodeAt(0));
    return new File([bytes], `image.${type.slice(6).replace('jpeg', 'jpg')}`, { type });
  } catch {
    return null;
  }
}

const newContentId = (): string => `${randomId()}@keyfold`;

/** Returns sanitized elements to parse; pictures in data URLs become files of the draft. */
function prepare(html: string, room: PictureRoom | null, isPasted = false): HTMLElement {
  const box = sanitizeForEditing(html, { isPasted });
  for (const picture of box.querySelectorAll('img[src^="data:"]')) {
    const file = room === null ? null : readDataUrl(picture.getAttribute('src') ?? '');
    if (file === null || room === null) {
      picture.remove();
      continue;
    }
    const contentId = newContentId();
    room.take(file, contentId);
    picture.setAttribute('src', `cid:${contentId}`);
  }
  // A line break that only keeps an empty paragraph open.
  for (const lineBreak of box.querySelectorAll('p > br, h1 > br, h2 > br, h3 > br'))
    if (lineBreak.parentNode?.childNodes.length === 1) lineBreak.remove();
  return box;
}

/** Parses HTML into a document of the schema. */
export const readDocument = (schema: Schema, html: string, room: PictureRoom | null): ModelNode =>
  ModelParser.fromSchema(schema).parse(prepare(html, room));

/** Parses HTML into a slice to insert. */
export const readSlice = (
  view: EditorView,
  html: string,
  room: PictureRoom | null,
  isPasted = false,
): Slice =>
  ModelParser.fromSchema(view.state.schema).parseSlice(prepare(html, room, isPasted), {
    context: view.state.selection.$from,
  });

function insertPictures(
  view: EditorView,
  files: readonly File[],
  room: PictureRoom,
  at: number | null,
): void {
  const type = view.state.schema.nodes.image;
  if (type === undefined) return;
  let transaction = view.state.tr;
  for (const file of files) {
    const cid = newContentId();
    room.take(file, cid);
    const node = type.create({ cid, alt: file.name });
    transaction = at === null ? transaction.replaceSelectionWith(node) : transaction.insert(at, node);
  }
  view.dispatch(transaction.scrollIntoView());
}

/** Inserts pictures at the caret; returns the files that are not pictures. */
export function takePictures(
  view: EditorView,
  files: readonly File[],
  room: PictureRoom | null,
  at: number | null = null,
): readonly File[] {
  if (room === null) return files;
  const pictures = files.filter(isPicture);
  if (pictures.length > 0) insertPictures(view, pictures, room, at);
  return files.filter(file => !isPicture(file));
}

/**
 * Returns whether this HTML contains more than a picture: office programs add a picture to copied
 * text.
 */
function hasWords(html: string): boolean {
  return (sanitizeForEditing(html).textContent ?? '').trim() !== '';
}

/** Moves the caret below a table that was just inserted. */
function leaveTable(changed: Transaction): void {
  const cell = cellAround(changed.selection.$from);
  if (cell === null) return;
  const after = cell.after(-1);
  const paragraph = changed.doc.type.schema.nodes.paragraph;
  if (changed.doc.resolve(after).nodeAfter?.isTextblock !== true && paragraph !== undefined)
    changed.insert(after, paragraph.create());
  changed.setSelection(TextSelection.near(changed.doc.resolve(after + 1)));
}

/** Handles pasted or dropped content; returns false to leave it to the editor. */
export function takeTransfer(
  view: EditorView,
  data: DataTransfer | null,
  room: PictureRoom | null,
  onFiles: (files: readonly File[]) => void,
  at: number | null = null,
): boolean {
  if (data === null) return false;
  const html = data.getData('text/html');
  const files = [...data.files];
  if (files.length > 0 && (html === '' || !hasWords(html))) {
    const rest = takePictures(view, files, room, at);
    if (rest.length > 0) onFiles(rest);
    return true;
  }
  if (html === '') return false;
  const slice = readSlice(view, html, room, true);
  // Copied cells are pasted into the cells from the caret on.
  if (at === null && pasteCells(view, new ClipboardEvent('paste'), slice)) return true;
  const { tr } = view.state;
  const changed = at === null ? tr.replaceSelection(slice) : tr.replaceRange(at, at, slice);
  if (slice.content.lastChild?.type.name === 'table') leaveTable(changed);
  view.dispatch(changed.scrollIntoView().setMeta('paste', true));
  return true;
}
