// Decides from the declared type and name which files of a message are messages themselves or
// contain one. Code that reads them checks their first bytes.

import type { ParsedAttachment } from './parse.ts';

const TNEF_TYPE = /^application\/(?:vnd\.)?ms-tnef$/i;
const TNEF_NAME = /^win(?:mail|dat)?\d{0,3}\.dat$/i;
const MESSAGE_TYPE =
  /^(?:message\/(?:rfc822|global)|application\/(?:eml|x-eml|vnd\.ms-outlook|x-msg|msg|msoutlook|vnd\.ms-msg|outlook))$/i;
const MESSAGE_NAME = /\.(?:eml|msg|mht|mhtml)$/i;
/** Types that are vague or wrong compared with the file name. */
const VAGUE_TYPE =
  /^(?:application\/(?:octet-stream|binary|x-unknown|download|force-download|x-ole-storage|x-cfb)|text\/plain|message\/[\w-]+|binary\/octet-stream|)$/i;

type Named = Pick<ParsedAttachment, 'mimeType' | 'filename'>;

const bareType = (mimeType: string): string => mimeType.split(';')[0]?.trim() ?? '';

/**
 * Reports whether a file is Outlook's TNEF envelope, whose content belongs to the message it is
 * attached to.
 */
export function isTnefFile({ mimeType, filename }: Named): boolean {
  const type = bareType(mimeType);
  return TNEF_TYPE.test(type) || (VAGUE_TYPE.test(type) && TNEF_NAME.test(filename?.trim() ?? ''));
}

/** Reports whether a file can be opened as a message of its own. */
export function isMessageFile(file: Named): boolean {
  const type = bareType(file.mimeType);
  if (MESSAGE_TYPE.test(type) || isTnefFile(file)) return true;
  return VAGUE_TYPE.test(type) && MESSAGE_NAME.test(file.filename?.trim() ?? '');
}
