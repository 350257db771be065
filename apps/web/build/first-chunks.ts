// Bundles everything a browser loads until the list is shown into a few files. By default the
// bundler would create one file for each set of screens that shares something: sixty files, each a
// round trip on a slow connection, six at a time. Here each group contains everything that one step
// of the start needs and no earlier step has loaded. No group contains unneeded code, and no file
// of a later step is loaded for an earlier one.
import type { Rolldown } from 'vite';

/**
 * Steps in order: code on every page; code that the sign-in form shares with the mailbox; the
 * session check on entry; the query cache; code that other screens without a session share with the
 * mailbox; the mailbox's frame, with code that its screens share; the list.
 */
const stepNames = ['page', 'door', 'session', 'queries', 'parts', 'app', 'list'] as const;
type Step = (typeof stepNames)[number];
/** Screens outside the mailbox that need no session: they must not load its frame. */
const open =
  /src\/features\/(?:account\/(?:RecoverPage|SignupPage|ResetPage)|calendar\/RsvpScreen|link\/LinkScreen)\.tsx$/;
/** Screens in the same frame: code that they share with the list is loaded with the frame. */
const beside =
  /src\/features\/(?:settings\/(?:SettingsLayout|SecurityLayout|menus)|calendar\/EventScreen|admin\/AdminScreen)\.tsx?$/;

/**
 * Libraries are bundled with their users: many are a single module that exports everything, used or
 * not.
 */
const foreign = /\/node_modules\/|\.css$/;

/** Hooks of the query cache, which screens without a session use too. */
const hooks = /\/@tanstack\/react-query\/build\/modern\/use(?:Query|Mutation)\.js$/;

type Graph = Rolldown.ChunkingContext;

/**
 * Returns our own modules that are loaded with these, including themselves; with `andLater` also
 * those loaded dynamically.
 */
function reach(graph: Graph, from: Iterable<string>, andLater = false): Set<string> {
  const found = new Set<string>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id) || foreign.test(id)) continue;
    found.add(id);
    const info = graph.getModuleInfo(id);
    waiting.push(...(info?.importedIds ?? []), ...(andLater ? (info?.dynamicallyImportedIds ?? []) : []));
  }
  return found;
}

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> =>
  new Set([...one].filter(id => other.has(id)));

/**
 * Returns the modules that each step adds, by name and in order. Throws when the first module of a
 * step has moved.
 */
function findSteps(graph: Graph, entry: string): ReadonlyMap<string, ReadonlySet<string>> {
  // Test pages do not include the start of the app.
  if (graph.getModuleInfo(entry) === null) return new Map();
  const all = [...reach(graph, [entry], true)];
  const from = (end: string): Set<string> => {
    const first = all.find(id => id.endsWith(`/${end}`));
    if (first === undefined) throw new Error(`${end} has moved: look at the chunks again`);
    return reach(graph, [first]);
  };
  const matching = (pattern: RegExp, andLater = false): Set<string> =>
    reach(
      graph,
      all.filter(id => pattern.test(id)),
      andLater,
    );
  const session = from('session/start-session.ts');
  const queries = from('session/calls/QueryRoom.tsx');
  const frame = from('features/shell/AppFrame.tsx');
  const list = from('features/mail/MailScreen.tsx');
  const inside = new Set([...session, ...queries, ...frame, ...list]);
  const steps: Readonly<Record<Step, ReadonlySet<string>>> = {
    page: reach(graph, [entry]),
    door: shared(from('features/auth/SigninPage.tsx'), inside),
    session,
    queries,
    parts: shared(matching(open), inside),
    app: new Set([...frame, ...shared(list, matching(beside, true))]),
    list,
  };
  const before = new Set([entry]);
  return new Map(
    stepNames.map(name => {
      const own = [...steps[name]].filter(id => !before.has(id));
      for (const id of own) before.add(id);
      return [name, new Set(own)];
    }),
  );
}

/** Returns the groups for `output.codeSplitting`; `entry` is the page's own script. */
export function firstChunks(entry: string): Rolldown.CodeSplittingGroup[] {
  let steps: ReturnType<typeof findSteps> | null = null;
  return stepNames.map((name, index) => ({
    debugName: name,
    // A group includes the dependencies of its modules, so each step must claim its own modules
    // before the next one does.
    priority: stepNames.length - index,
    name: (id, graph) => {
      steps ??= findSteps(graph, entry);
      const isOwn = steps.get(name)?.has(id) === true;
      return isOwn || (name === 'queries' && hooks.test(id)) ? name : null;
    },
  }));
}
