// What the numbers of properties above 0x8000 mean in one file, which keeps a list of that ([MS-PST] 2.4.7).

import { NAME_LIST, type PropertyNames, readNameList } from '../mapi/names.ts';
import type { PstNode } from './node.ts';
import { readProperties } from './property-bag.ts';

/** The node that keeps the list. */
export const NAME_NODE = 0x61;

/** Reads the list; an unreadable one is as good as none, since most properties do not need it. */
export async function readPropertyNames(node: PstNode): Promise<PropertyNames> {
  const bag = await readProperties(node);
  const part = async (id: number) => (await bag.bytes(id)) ?? new Uint8Array();
  return readNameList(
    await part(NAME_LIST.guids),
    await part(NAME_LIST.entries),
    await part(NAME_LIST.strings),
  );
}
