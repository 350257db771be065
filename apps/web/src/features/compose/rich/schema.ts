// What a rich letter can hold: StarterKit's nodes and marks, tables, pictures by Content-ID, and the block of a signature.
// Nothing that would load from elsewhere; links lead to the web and to mail only.
import { type AnyExtension, Extension, mergeAttributes, Node } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import { DOMSerializer, type Node as ModelNode, type Schema } from '@tiptap/pm/model';
import StarterKit from '@tiptap/starter-kit';
import { findLinkTarget, forwardClass, signatureClass } from './rich-doc.ts';
import { tables } from './tables.ts';

/** Where pictures of a letter come from and go to. */
export type PictureRoom = {
  /** Takes a new picture into the letter under a Content-ID. */
  take: (file: File, contentId: string) => void;
  /** An address that shows it here (blob:), or null when it is not there. */
  find: (contentId: string) => Promise<string | null>;
};

/** A picture inside the text; the address in the page is made for each view and never kept. */
const pictures = (room: PictureRoom | null) =>
  Image.extend({
    addAttributes() {
      return {
        cid: {
          default: null,
          parseHTML: element => element.getAttribute('src')?.replace(/^cid:/i, '') ?? null,
          // No `src`: the page would try to load it.
          renderHTML: ({ cid }) => ({ 'data-cid': cid }),
        },
        alt: { default: '' },
        width: { default: null },
      };
    },
    parseHTML: () => [{ tag: 'img[src^="cid:"]' }],
    addInputRules: () => [],
    addNodeView:
      () =>
      ({ node }) => {
        const dom = document.createElement('img');
        dom.alt = String(node.attrs.alt ?? '');
        const width = Number(node.attrs.width);
        if (width > 0) dom.width = width;
        void room?.find(String(node.attrs.cid)).then(address => {
          if (address !== null) dom.src = address;
        });
        return { dom };
      },
  }).configure({ inline: true });

/** What is copied: pictures under the address by which pasting knows them, in a document that loads nothing. */
export function clipboardSerializer(schema: Schema): DOMSerializer {
  const { nodes, marks } = DOMSerializer.fromSchema(schema);
  const image = (node: ModelNode) => ['img', { src: `cid:${node.attrs.cid}`, alt: node.attrs.alt }] as const;
  return new DOMSerializer({ ...nodes, image }, marks);
}

/** Quoted mail keeps its mark, by which mail programs fold it. */
const quoteMarks = Extension.create({
  name: 'quoteMarks',
  addGlobalAttributes: () => [
    {
      types: ['blockquote'],
      attributes: {
        cite: {
          default: false,
          parseHTML: element => element.getAttribute('type') === 'cite',
          renderHTML: ({ cite }) => (cite === true ? { type: 'cite' } : {}),
        },
      },
    },
  ],
});

const signature = Node.create({
  name: 'signature',
  group: 'block',
  content: 'block+',
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: `div.${signatureClass}`, priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { class: signatureClass }), 0],
});

/** What is forwarded, whole: the signature stands before it. */
const forwarded = Node.create({
  name: 'forwarded',
  group: 'block',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: `div.${forwardClass}`, priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { class: forwardClass }), 0],
});

/** The extensions of an editor whose pictures are in `room`; without one it takes no pictures. */
export const richExtensions = (room: PictureRoom | null): AnyExtension[] => [
  StarterKit.configure({
    heading: { levels: [1, 2, 3] },
    trailingNode: false,
    link: {
      openOnClick: false,
      protocols: ['http', 'https', 'mailto'],
      defaultProtocol: 'https',
      isAllowedUri: url => findLinkTarget(url) !== null,
      shouldAutoLink: url => findLinkTarget(url) !== null,
      HTMLAttributes: { target: null, rel: 'noreferrer' },
    },
  }),
  quoteMarks,
  signature,
  forwarded,
  ...tables,
  ...(room === null ? [] : [pictures(room)]),
];
