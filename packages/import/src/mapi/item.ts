// An Outlook message as its writer (mapi-message.ts) reads it, independent of the container: PST,
// TNEF or .msg. A value that is missing, damaged or of another type than requested is null, '' or
// empty.
import { TAGS } from './tags.ts';

/** Properties of a message, of a person named in it, or of an attached file. */
export type MapiBag = {
  has(id: number): boolean;
  number(id: number): number | null;
  flag(id: number): boolean;
  date(id: number): Promise<Date | null>;
  /** Returns a text without its trailing NUL; '' when there is none. */
  text(id: number): Promise<string>;
  bytes(id: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Returns bytes that must be complete; throws when they are damaged. */
  wholeBytes(id: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** HTML is stored as text or as bytes. */
  textOrBytes(id: number): Promise<string | Uint8Array<ArrayBuffer> | null>;
};

export type MapiAttachment = {
  readonly properties: MapiBag;
  /** True when the content is an object (a message, for example) rather than bytes. */
  readonly isObject: boolean;
  /** Returns the attached message. Throws `damaged` when there is none. */
  readMessage(): Promise<MapiItem>;
  /** Returns the bytes of an object that is not a message. */
  readObject(): Promise<Uint8Array<ArrayBuffer>>;
};

export type MapiItem = {
  readonly properties: MapiBag;
  /** Number of messages that enclose this one. */
  readonly depth: number;
  /**
   * Identifies the file the item comes from, and its name in that file: letters and digits, used to
   * build ids for messages without one.
   */
  readonly origin: string;
  readonly name: string;
  /** Returns the number of a named property; 0, which no object has, when it is unknown here. */
  idOf(family: string, name: number | string): number;
  recipients(): Promise<readonly MapiBag[]>;
  /** Returns one reader per file, so that a damaged one does not affect the others. */
  attachments(): Promise<readonly (() => Promise<MapiAttachment>)[]>;
};

/** Returns the message class in uppercase, such as 'IPM.NOTE'. */
export const messageClassOf = async ({ properties }: MapiItem): Promise<string> =>
  (await properties.text(TAGS.messageClass)).toUpperCase();

/** Returns the subject without the marker with which Outlook delimits its prefix. */
export async function subjectOf({ properties }: MapiItem): Promise<string> {
  const subject = await properties.text(TAGS.subject);
  return subject.charCodeAt(0) === 1 ? subject.slice(2) : subject;
}
