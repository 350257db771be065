// One item of a folder, or nested in a message: its properties, its recipients and its attachments.

import { concatBytes } from '@keyfold/mail/bytes';
import { ImportError } from '../errors.ts';
import type { MapiAttachment, MapiItem } from '../mapi/item.ts';
import type { PropertyNames } from '../mapi/names.ts';
import { TAGS } from '../mapi/tags.ts';
import type { PstNode } from './node.ts';
import { kindOfNode, NODE_KINDS } from './node-table.ts';
import { type PropertyBag, readProperties } from './property-bag.ts';
import { readTable } from './table.ts';

const ATTACHMENTS_NODE = 0x671;
const RECIPIENTS_NODE = 0x692;

/** Data shared by all items of a file. */
export type PstContext = {
  isUnicode: boolean;
  names: PropertyNames;
  /** Letters and digits that are unique to the file, for Message-IDs of messages without one. */
  fileId: string;
};

export class PstItem implements MapiItem {
  readonly node: PstNode;
  readonly properties: PropertyBag;
  readonly context: PstContext;
  /** Number of messages that enclose this one. */
  readonly depth: number;

  private constructor(node: PstNode, properties: PropertyBag, context: PstContext, depth: number) {
    this.node = node;
    this.properties = properties;
    this.context = context;
    this.depth = depth;
  }

  static async read(node: PstNode, context: PstContext, depth = 0): Promise<PstItem> {
    const properties = await readProperties(node);
    properties.codePage = properties.number(TAGS.messageCodePage) ?? properties.number(TAGS.internetCodePage);
    return new PstItem(node, properties, context, depth);
  }

  get origin(): string {
    return `pst-${this.context.fileId}`;
  }

  get name(): string {
    return this.node.nodeId.toString(16);
  }

  /** Returns the number of a named property in this file. */
  idOf(family: string, name: number | string): number {
    return this.context.names.idOf(family, name);
  }

  /** Returns the properties of the recipients; none when their table is unreadable. */
  async recipients(): Promise<PropertyBag[]> {
    const node = await this.node.findSubnode(RECIPIENTS_NODE);
    if (node === null) return [];
    try {
      return (await readTable(node, this.context.isUnicode)).map(({ properties }) => {
        properties.codePage = this.#codePage;
        return properties;
      });
    } catch (error) {
      if (error instanceof ImportError && error.code === 'damaged') return [];
      throw error;
    }
  }

  async attachments(): Promise<(() => Promise<MapiAttachment>)[]> {
    return (await this.#attachmentNodes()).map(node => () => this.#attachment(node));
  }

  async #attachment(node: PstNode): Promise<MapiAttachment> {
    const properties = await readProperties(node);
    properties.codePage = this.#codePage;
    const innerId = await properties.objectNode(TAGS.attachData);
    const findInner = async () => (innerId === null ? null : node.findSubnode(innerId));
    return {
      properties,
      isObject: innerId !== null,
      readMessage: async () => {
        const inner = await findInner();
        if (inner === null) throw new ImportError('damaged');
        return PstItem.read(inner, this.context, this.depth + 1);
      },
      readObject: async () => concatBytes((await (await findInner())?.readPieces()) ?? []),
    };
  }

  /**
   * Returns the nodes of the attachments: those in the table, or every attachment node when the
   * table is damaged.
   */
  async #attachmentNodes(): Promise<PstNode[]> {
    let ids: number[] = [];
    const table = await this.node.findSubnode(ATTACHMENTS_NODE);
    try {
      ids = table === null ? [] : (await readTable(table, this.context.isUnicode)).map(({ rowId }) => rowId);
    } catch (error) {
      if (!(error instanceof ImportError && error.code === 'damaged')) throw error;
      ids = (await this.node.subnodeIds()).filter(id => kindOfNode(id) === NODE_KINDS.attachment);
    }
    const nodes = await Promise.all([...new Set(ids)].map(id => this.node.findSubnode(id)));
    return nodes.filter(node => node !== null);
  }

  get #codePage(): number | null {
    return this.properties.number(TAGS.messageCodePage) ?? this.properties.number(TAGS.internetCodePage);
  }
}
