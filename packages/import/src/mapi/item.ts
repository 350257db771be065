// An Outlook message as its writer (letter.ts) asks for it, whatever it is kept in: a PST, a TNEF or a .msg file. What is
// missing, of another type than wanted, or damaged is null, '' or empty.
import { TAGS } from './tags.ts';

/** The properties of a message, of one who is named in it, or of a file attached to it. */
export type MapiBag = {
  has(id: number): boolean;
  number(id: number): number | null;
  flag(id: number): boolean;
  date(id: number): Promise<Date | null>;
  /** A text without the NUL that may end it; '' when there is none. */
  text(id: number): Promise<string>;
  bytes(id: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Bytes that must not be missing in part; throws where they are damaged. */
  wholeBytes(id: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** HTML is stored as text or as bytes. */
  textOrBytes(id: number): Promise<string | Uint8Array<ArrayBuffer> | null>;
};

export type MapiAttachment = {
  readonly properties: MapiBag;
  /** Its content is an object, of which a message is one, and not bytes. */
  readonly isObject: boolean;
  /** The message that it is. Throws `damaged` where there is none. */
  readMessage(): Promise<MapiItem>;
  /** The bytes of an object that is no message. */
  readObject(): Promise<Uint8Array<ArrayBuffer>>;
};

export type MapiItem = {
  readonly properties: MapiBag;
  /** How many messages this one is inside of. */
  readonly depth: number;
  /** The file it is of, and its name in there: letters and digits, for ids of what has none. */
  readonly origin: string;
  readonly name: string;
  /** Number of a named property; 0, which no object has, when it is not known here. */
  idOf(family: string, name: number | string): number;
  recipients(): Promise<readonly MapiBag[]>;
  /** One reader for each file: one that is damaged costs no other. */
  attachments(): Promise<readonly (() => Promise<MapiAttachment>)[]>;
};

/** Uppercase, such as 'IPM.NOTE'. */
export const messageClassOf = async ({ properties }: MapiItem): Promise<string> =>
  (await properties.text(TAGS.messageClass)).toUpperCase();

/** The subject without the mark with which Outlook tells where its prefix ends. */
export async function subjectOf({ properties }: MapiItem): Promise<string> {
  const subject = await properties.text(TAGS.subject);
  return subject.charCodeAt(0) === 1 ? subject.slice(2) : subject;
}
