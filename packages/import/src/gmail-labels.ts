// What the labels of Google's exports say: where a mail is, whether it was read or starred, and which labels its owner gave
// it. They are written in the language of the account. Those of Gmail stand first, so one of a language or of an age that the
// table of names does not have is told by its place.

import { findLabelState, findNamedPlace, type NamedPlace } from './place-names.ts';

export type GmailLabels = {
  isRead: boolean;
  isStarred: boolean;
  places: NamedPlace[];
  /** Its owner's, and one for each place by its English name. */
  labels: string[];
};

/** The names under which places are told on. */
const NAMES: Readonly<Record<NamedPlace, string>> = {
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
  deleted: 'Trash',
  spam: 'Spam',
  archive: 'Archived',
};

const LABELS_MAX_CHARACTERS = 20_000;

/** Labels with commas between them; one that has a comma itself stands in quotes, with its own quotes doubled or escaped. */
export const splitLabels = (text: string): string[] =>
  Array.from(
    text.slice(0, LABELS_MAX_CHARACTERS).matchAll(/[ \t]*(?:"((?:[^"\\]|\\.|"")*)"[ \t]*(?=,|$)|([^,]+))/g),
    ([, quoted, plain]) => (quoted?.replace(/\\(.)|"(")/g, '$1$2') ?? plain ?? '').trim(),
  ).filter(label => label !== '');

/** Reads the decoded value of X-Gmail-Labels. */
export function readGmailLabels(text: string): GmailLabels {
  const known = splitLabels(text).map(label => {
    const state = findLabelState(label);
    return { label, state, place: state === null ? findNamedPlace(label) : null };
  });
  const lastState = known.findLastIndex(({ state }) => state !== null);
  const has = (wanted: string) => known.some(({ state }) => state === wanted);
  const places = known.flatMap(({ place }) => place ?? []);
  return {
    isRead: !has('unread'),
    isStarred: has('starred'),
    places,
    labels: known.flatMap(({ label, state, place }, at) => {
      if (place !== null) return [NAMES[place]];
      // Above a state of Gmail's stands nothing but Gmail's.
      return state !== null || at < lastState ? [] : [label];
    }),
  };
}
