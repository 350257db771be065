// Actions on messages: one table for the row, the buttons over it, swipes, the toolbar, the bar of
// a selection, the context menu, the palette, the keyboard, and drag and drop. Each entry defines
// what the action does in which place, its key, and where it is offered. To add an action, add an
// entry here and, if it has a new effect, one in mail-effects.ts.
import { keysOf, type ShortcutId } from '../../../session/commands/shortcut-keys.ts';
import type { FlagChange } from './flag-changes.ts';
import { type Effect, effectOfChange, effects, effectTable } from './mail-effects.ts';
import { type Place, places } from './mail-places.ts';

/** Where actions are offered. `toolbarMore` and `bulkMore` are the menus behind "More". */
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

/** Actions that users trigger by a key, a button, a swipe or a drop. */
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
  /** Effect in each place. The action is unavailable in places that are not listed. */
  readonly does: Readonly<Partial<Record<Place, Effect>>>;
  readonly at: readonly Surface[];
  /** The command that provides its key and its palette entry. */
  readonly command?: ShortcutId;
  /** Actions of one group are shown together, with a separator between groups. */
  readonly group: 'away' | 'sort' | 'spam';
  /** Offered only when the message does not already have this state, if its state is known. */
  readonly sets?: { readonly state: 'unread' | 'starred'; readonly to: boolean };
};

const all = <E extends Effect>(effect: E, ...but: readonly Place[]) =>
  Object.fromEntries(places.filter(place => !but.includes(place)).map(place => [place, effect]));

/** In the order in which they are shown everywhere. */
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

/**
 * Returns the effect of an action in one place, or on a selection that may include several places;
 * null when it is unavailable.
 */
export function effectOf(action: MailAction, where: Place | readonly Place[]): Effect | null {
  const { does } = actionTable[action];
  if (typeof where === 'string') return does[where] ?? null;
  const possible = new Set(where.map(place => does[place]));
  return effects.find(effect => possible.has(effect)) ?? null;
}

/**
 * Returns the change of an action in these places, or null when it is unavailable or opens a panel
 * instead.
 */
export function changeOf(action: MailAction, where: Place | readonly Place[]): FlagChange | null {
  const effect = effectOf(action, where);
  return effect === null ? null : effectTable[effect].change;
}

/** Returns whether messages in this place are included in a change of a selection. */
export function takesPart(change: FlagChange, place: Place): boolean {
  const effect = effectOfChange(change);
  // Deleting asks first when the selection contains messages that would be deleted permanently.
  return mailActions.some(action => {
    const own = effectOf(action, place);
    return (
      own === effect ||
      (effect === 'delete' && own === 'purge') ||
      (change.kind === 'snooze' && own === 'wake')
    );
  });
}

/** What an action applies to. */
export type Subject = {
  readonly where: Place | readonly Place[];
  /** Absent when the selected messages differ; both actions are then offered. */
  readonly unread?: boolean;
  readonly starred?: boolean;
};

/** Panels that ask for more input: the tag picker and the snooze times. */
export type PanelKind = 'tag' | 'snooze';

/** An action as offered to the user. */
export type Offer = {
  readonly action: MailAction;
  readonly effect: Effect;
  readonly group: Entry['group'];
  readonly label: string;
  readonly Icon: (typeof effectTable)[Effect]['Icon'];
  /** Keyboard shortcut of the action. */
  readonly keys: string | undefined;
} & (
  | { readonly change: FlagChange; readonly panel: null }
  | { readonly change: null; readonly panel: PanelKind }
);

/** Returns the offer of one action for this subject, or null when it is unavailable. */
export function offerOf(action: MailAction, subject: Subject): Offer | null {
  const { group, command, sets } = actionTable[action];
  const effect = effectOf(action, subject.where);
  if (effect === null || (sets !== undefined && subject[sets.state] === sets.to)) return null;
  const { label, Icon, change } = effectTable[effect];
  const keys = command === undefined ? undefined : keysOf(command);
  const common = { action, effect, group, label: label(), Icon, keys };
  if (change !== null) return { ...common, change, panel: null };
  return { ...common, change, panel: effect === 'tag' ? 'tag' : 'snooze' };
}

/** Returns everything offered on a surface for this subject, in table order. */
export const offersAt = (surface: Surface, subject: Subject): readonly Offer[] =>
  mailActions
    .filter(action => actionTable[action].at.includes(surface))
    .flatMap(action => offerOf(action, subject) ?? []);

/**
 * Returns what a keyboard or palette command does with this subject, or null when it is
 * unavailable.
 */
export const offerOfCommand = (command: ShortcutId, subject: Subject): Offer | null =>
  offersAt('keyboard', subject).find(({ action }) => actionTable[action].command === command) ?? null;

/**
 * Returns the palette title of a command whose effect differs from its name, or null when the name
 * is right.
 */
export const otherTitleOf = (command: ShortcutId, offer: Offer | null): string | null =>
  offer === null || offer.effect === command ? null : offer.label;

/** Keyboard commands that act on messages, each once. */
export const mailCommands = [
  ...new Set(
    mailActions.flatMap(action =>
      actionTable[action].at.includes('keyboard') ? (actionTable[action].command ?? []) : [],
    ),
  ),
];

/**
 * Returns what a swipe with this action does to a message, or null. A swipe for "read" also marks
 * as unread.
 */
export function offerOfSwipe(swipe: MailAction, subject: Subject): Offer | null {
  const state = actionTable[swipe].sets?.state;
  return (
    offersAt('swipe', subject).find(
      ({ action }) => action === swipe || (state !== undefined && actionTable[action].sets?.state === state),
    ) ?? null
  );
}
