// What can be done with mail: one table for the row, the buttons over it, swipes, the toolbar, the bar of a selection, the
// context menu, the palette, the keyboard, and drag and drop. Each entry says what the action does in which place, its key,
// and where it is offered. A new action is an entry here and, if it does something new, one in mail-effects.ts.
import { keysOf, type ShortcutId } from '../../../session/commands/shortcut-keys.ts';
import { type Effect, effectOfMark, effects, effectTable } from './mail-effects.ts';
import { type Place, places } from './mail-places.ts';
import type { Mark } from './marks.ts';

/** Where actions are offered; `toolbarMore` and `bulkMore` are the menus behind "More". */
export type Surface =
  | 'row'
  | 'hover'
  | 'swipe'
  | 'toolbar'
  | 'toolbarMore'
  | 'bulk'
  | 'bulkMore'
  | 'menu'
  | 'palette'
  | 'keyboard'
  | 'drop';

/** What people ask for, by a key, a button, a swipe or a drop. */
export const mailActions = [
  'archive',
  'delete',
  'unread',
  'read',
  'tag',
  'snooze',
  'star',
  'unstar',
  'spam',
  'inbox',
] as const;
export type MailAction = (typeof mailActions)[number];

type Entry = {
  /** What it does in each place; nothing where none is named. */
  readonly does: Readonly<Partial<Record<Place, Effect>>>;
  readonly at: readonly Surface[];
  /** The command whose key and place in the palette it has. */
  readonly command?: ShortcutId;
  /** Actions of one group stand together, with a line between the groups. */
  readonly group: 'away' | 'sort' | 'spam';
  /** Offered only where the message is not that way already, if that is known. */
  readonly sets?: { readonly state: 'unread' | 'starred'; readonly to: boolean };
};

const all = <E extends Effect>(effect: E, ...but: readonly Place[]) =>
  Object.fromEntries(places.filter(place => !but.includes(place)).map(place => [place, effect]));

/** In the order in which every place shows them. */
export const actionTable: Readonly<Record<MailAction, Entry>> = {
  archive: {
    does: {
      other: 'archive',
      archived: 'unarchive',
      snoozed: 'archive',
      flagged: 'notSpam',
      deleted: 'restore',
    },
    at: ['hover', 'swipe', 'toolbar', 'bulk', 'menu', 'palette', 'keyboard', 'drop'],
    command: 'archive',
    group: 'away',
  },
  delete: {
    does: { ...all('delete'), draft: 'purge', deleted: 'purge' },
    at: ['hover', 'swipe', 'toolbar', 'bulk', 'menu', 'palette', 'keyboard', 'drop'],
    command: 'delete',
    group: 'away',
  },
  unread: {
    does: all('unread', 'scheduled', 'draft'),
    at: ['hover', 'swipe', 'toolbar', 'bulkMore', 'menu', 'palette', 'keyboard'],
    command: 'unread',
    group: 'away',
    sets: { state: 'unread', to: true },
  },
  read: {
    does: all('read', 'scheduled', 'draft'),
    at: ['hover', 'swipe', 'bulk', 'menu', 'palette', 'keyboard'],
    command: 'read',
    group: 'away',
    sets: { state: 'unread', to: false },
  },
  tag: {
    does: all('tag', 'draft', 'deleted'),
    at: ['toolbar', 'bulk', 'menu', 'palette', 'keyboard'],
    command: 'tag',
    group: 'sort',
  },
  snooze: {
    does: all('snooze', 'flagged', 'scheduled', 'draft', 'deleted'),
    at: ['hover', 'swipe', 'toolbar', 'bulk', 'bulkMore', 'menu', 'palette', 'keyboard'],
    command: 'snooze',
    group: 'sort',
  },
  star: {
    does: all('star'),
    at: ['row', 'swipe', 'toolbar', 'bulkMore', 'menu', 'palette', 'keyboard', 'drop'],
    command: 'star',
    group: 'sort',
    sets: { state: 'starred', to: true },
  },
  unstar: {
    does: all('unstar'),
    at: ['row', 'swipe', 'toolbar', 'bulkMore', 'menu', 'palette', 'keyboard'],
    command: 'star',
    group: 'sort',
    sets: { state: 'starred', to: false },
  },
  spam: {
    does: { other: 'spam', archived: 'spam', snoozed: 'spam', flagged: 'notSpam' },
    at: ['toolbarMore', 'bulkMore', 'menu', 'palette', 'keyboard', 'drop'],
    command: 'spam',
    group: 'spam',
  },
  inbox: {
    does: { archived: 'unarchive', snoozed: 'wake', flagged: 'notSpam', deleted: 'restore' },
    at: ['drop'],
    group: 'away',
  },
};

/** What an action does in one place, or to a selection that may hold mail of several; null when it is not available. */
export function effectOf(action: MailAction, where: Place | readonly Place[]): Effect | null {
  const { does } = actionTable[action];
  if (typeof where === 'string') return does[where] ?? null;
  const possible = new Set(where.map(place => does[place]));
  return effects.find(effect => possible.has(effect)) ?? null;
}

/** The change for an action in these places; null when it is not available, or opens a panel instead. */
export function markOf(action: MailAction, where: Place | readonly Place[]): Mark | null {
  const effect = effectOf(action, where);
  return effect === null ? null : effectTable[effect].mark;
}

/** Whether mail in this place takes part in a change that was chosen for a selection. */
export function takesPart(mark: Mark, place: Place): boolean {
  const effect = effectOfMark(mark);
  // Deleting asks first when the selection holds mail that goes for good.
  return mailActions.some(action => {
    const own = effectOf(action, place);
    return (
      own === effect || (effect === 'delete' && own === 'purge') || (mark.kind === 'snooze' && own === 'wake')
    );
  });
}

/** What an action would be done with. */
export type Subject = {
  readonly where: Place | readonly Place[];
  /** Left out where some are and some are not: both ways are offered then. */
  readonly unread?: boolean;
  readonly starred?: boolean;
};

/** The panels that ask for more: the tag picker and the snooze times. */
export type PanelKind = 'tag' | 'snooze';

/** An action as it is offered. */
export type Offer = {
  readonly action: MailAction;
  readonly effect: Effect;
  readonly group: Entry['group'];
  readonly label: string;
  readonly Icon: (typeof effectTable)[Effect]['Icon'];
  /** The key that does the same. */
  readonly keys: string | undefined;
} & ({ readonly mark: Mark; readonly panel: null } | { readonly mark: null; readonly panel: PanelKind });

/** One action for this mail; null when it is not available. */
export function offerOf(action: MailAction, subject: Subject): Offer | null {
  const { group, command, sets } = actionTable[action];
  const effect = effectOf(action, subject.where);
  if (effect === null || (sets !== undefined && subject[sets.state] === sets.to)) return null;
  const { label, Icon, mark } = effectTable[effect];
  const keys = command === undefined ? undefined : keysOf(command);
  const common = { action, effect, group, label: label(), Icon, keys };
  if (mark !== null) return { ...common, mark, panel: null };
  return { ...common, mark, panel: effect === 'tag' ? 'tag' : 'snooze' };
}

/** Everything that is offered there for this mail, in the order of the table. */
export const offersAt = (surface: Surface, subject: Subject): readonly Offer[] =>
  mailActions
    .filter(action => actionTable[action].at.includes(surface))
    .flatMap(action => offerOf(action, subject) ?? []);

/** What a command of the keyboard or the palette stands for with this mail; null when it is not available. */
export const offerOfCommand = (command: ShortcutId, subject: Subject): Offer | null =>
  offersAt('keyboard', subject).find(({ action }) => actionTable[action].command === command) ?? null;

/** The palette's words for a command where it does something else than its name says; null where the name is right. */
export const otherTitleOf = (command: ShortcutId, offer: Offer | null): string | null =>
  offer === null || offer.effect === command ? null : offer.label;

/** The commands of the keyboard that are about mail, once each. */
export const mailCommands = [
  ...new Set(
    mailActions.flatMap(action =>
      actionTable[action].at.includes('keyboard') ? (actionTable[action].command ?? []) : [],
    ),
  ),
];

/** What a swipe that is set to this action does with a message; null when nothing. A swipe for read marks unread, too. */
export function offerOfSwipe(swipe: MailAction, subject: Subject): Offer | null {
  const state = actionTable[swipe].sets?.state;
  return (
    offersAt('swipe', subject).find(
      ({ action }) => action === swipe || (state !== undefined && actionTable[action].sets?.state === state),
    ) ?? null
  );
}
