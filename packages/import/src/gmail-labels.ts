// Reads the labels of Google exports: where a message is, whether it is read or starred, and which
// labels the user gave it. Labels are written in the language of the account. Gmail lists its own
// labels first, so a system label in a language or version that the name table lacks is recognized
// by its position.

import { findLabelState, findNamedPlace, type NamedPlace } from './place-names.ts';

export type GmailLabels = {
  isRead: boolean;
  isStarred: boolean;
  places: NamedPlace[];
  /** The user's own labels, plus one per place under its English name. */
  labels: string[];
};

/** English names under which places are reported. */
const NAMES: Readonly<Record<NamedPlace, string>> = {
  inbox: 'Inbox',
  sent: 'Sent',
  drafts: 'Drafts',
  deleted: 'Trash',
  spam: 'Spam',
  archive: 'Archived',
};

const LABELS_MAX_CHARACTERS = 20_000;

/**
 * Splits a comma-separated list of labels. A label that contains a comma is quoted, with its own
 * quotes doubled or escaped.
 */
export const splitLabels = (text: string): string[] =>
  Array.from(
    text.slice(0, LABELS_MAX_CHARACTERS).matchAll(/[ \t]*(?:"((?:[^"\\]|\\.|"")*)"[ \t]*(?=,|$)|([^,]+))/g),
    ([, quoted, plain]) => (quoted?.replace(/\\(.)|"(")/g, '$1$2') ?? plain ?? '').trim(),
  ).filter(label => label !== '');

/** Parses the decoded value of X-Gmail-Labels. */
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
      // Only Gmail's own labels precede one of its state labels.
      return state !== null || at < lastState ? [] : [label];
    }),
  };
}
