// Schema of a rich text: StarterKit's nodes and marks, tables, pictures by Content-ID, and the
// signature block. Nothing in it loads remote content; links lead to the web and to mail only.
import { type AnyExtension, Extension, mergeAttributes, Node } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import { DOMSerializer, type Node as ModelNode, type Schema } from '@tiptap/pm/model';
import StarterKit from '@tiptap/starter-kit';
import { findLinkTarget, forwardClass, signatureClass } from './rich-doc.ts';
import { tables } from './tables.ts';

/** Stores and resolves the inline pictures of a draft. */
export type PictureRoom = {
  /** Adds a new picture to the draft under a Content-ID. */
  take: (file: File, contentId: string) => void;
  /** Returns a blob: URL that displays it here, or null when it is missing. */
  find: (contentId: string) => Promise<string | null>;
};

/** An inline picture; its URL is created for each view and never stored. */
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

/**
 * Serializes copied content: pictures use the address that pasting recognizes, in a document that
 * loads nothing.
 */
export function clipboardSerializer(schema: Schema): DOMSerializer {
  const { nodes, marks } = DOMSerializer.fromSchema(schema);
  const image = (node: ModelNode) => ['img', { src: `cid:${node.attrs.cid}`, alt: node.attrs.alt }] as const;
  return new DOMSerializer({ ...nodes, image }, marks);
}

/** Preserves the markup by which mail programs fold quoted messages. */
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

/** The whole forwarded message; the signature comes before it. */
const forwarded = Node.create({
  name: 'forwarded',
  group: 'block',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: `div.${forwardClass}`, priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { class: forwardClass }), 0],
});

/**
 * Returns the extensions of an editor that stores its pictures in `room`; without one it accepts no
 * pictures.
 */
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
