// Tables of a rich text, edited by ProseMirror's table module: tables are added by pasting, Tab
// moves through the cells, and a whole table can be deleted. rich-doc.ts writes them into a
// message.
import { type AnyExtension, type Editor, Node } from '@tiptap/core';
import { CellSelection, deleteTable, goToNextCell, tableEditing } from '@tiptap/pm/tables';

/** Roles of the nodes in the table module. */
const roles: Readonly<Record<string, string>> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
};

/** Maximum column or row span; no program produces larger tables. */
const SPAN_MAX = 1000;

const span = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) =>
    Math.min(SPAN_MAX, Math.max(1, Number.parseInt(element.getAttribute(name) ?? '', 10) || 1)),
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes[name] === 1 ? {} : { [name]: attributes[name] },
});

const cellAttributes = () => ({
  colspan: span('colspan'),
  rowspan: span('rowspan'),
  // Required by the module; the program that displays the message chooses the widths.
  colwidth: { default: null, parseHTML: () => null, renderHTML: () => ({}) },
  align: {
    default: null,
    parseHTML: (element: HTMLElement) =>
      /^(?:left|center|right)$/.exec(element.getAttribute('align')?.toLowerCase() ?? '')?.[0] ?? null,
    renderHTML: ({ align }: Record<string, unknown>) => (align === null ? {} : { align }),
  },
});

const cell = (name: string, tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: cellAttributes,
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

const row = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)*',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
});

function deleteWhole({ state, view }: Editor): boolean {
  const { selection } = state;
  if (!(selection instanceof CellSelection)) return false;
  return selection.isColSelection() && selection.isRowSelection() && deleteTable(state, view.dispatch);
}

const table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  // The border makes other programs recognize a pasted table.
  renderHTML: () => ['div', { class: 'table-room' }, ['table', { border: '1' }, ['tbody', 0]]],
  extendNodeSchema: ({ name }) => (roles[name] === undefined ? {} : { tableRole: roles[name] }),
  addKeyboardShortcuts: () => ({
    Tab: ({ editor }) => goToNextCell(1)(editor.state, editor.view.dispatch),
    'Shift-Tab': ({ editor }) => goToNextCell(-1)(editor.state, editor.view.dispatch),
    Backspace: ({ editor }) => deleteWhole(editor),
    Delete: ({ editor }) => deleteWhole(editor),
  }),
  addProseMirrorPlugins: () => [tableEditing()],
});

export const tables: readonly AnyExtension[] = [
  table,
  row,
  cell('tableCell', 'td'),
  cell('tableHeader', 'th'),
];
