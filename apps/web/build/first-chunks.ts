// What a browser fetches until the list stands goes into a few files, where the bundler would make one for each set of screens
// that shares something: sixty of them, and every one costs a round trip on a slow line, six at a time. Here each group is all
// that one step of the start needs and no step before it has brought; so none holds what nobody asked for, and no file of a
// later step is fetched for an earlier one.
import type { Rolldown } from 'vite';

/**
 * The steps in their order: what stands on every page; what the sign-in form shares with the mailbox; the check on entry; the
 * cache of answers; what other screens without a session share with the mailbox; the mailbox's frame, with what its screens
 * share; the list.
 */
const stepNames = ['page', 'door', 'session', 'queries', 'parts', 'app', 'list'] as const;
type Step = (typeof stepNames)[number];
/** Screens beside the mailbox that need no session: they must not bring its frame along. */
const open =
  /src\/features\/(?:account\/(?:RecoverPage|SignupPage|ResetPage)|calendar\/RsvpScreen|link\/LinkScreen)\.tsx$/;
/** Screens in the same frame: what they share with the list comes with the frame. */
const beside =
  /src\/features\/(?:settings\/(?:SettingsLayout|SecurityLayout|menus)|calendar\/EventScreen|admin\/AdminScreen)\.tsx?$/;

/** Libraries come along with what uses them: many are one module that names all there is, used or not. */
const foreign = /\/node_modules\/|\.css$/;

/** What asks through the cache of answers; screens without a session do, too. */
const hooks = /\/@tanstack\/react-query\/build\/modern\/use(?:Query|Mutation)\.js$/;

type Graph = Rolldown.ChunkingContext;

/** Our own modules that are there once these are, themselves included; with `andLater` what they fetch later, too. */
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

/** What each step brings that was not there before, by its name, in their order. Throws when a first module has moved. */
function findSteps(graph: Graph, entry: string): ReadonlyMap<string, ReadonlySet<string>> {
  // Pages of tests have no start of the program in them.
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

/** The groups for `output.codeSplitting`; `entry` is the page's own script. */
export function firstChunks(entry: string): Rolldown.CodeSplittingGroup[] {
  let steps: ReturnType<typeof findSteps> | null = null;
  return stepNames.map((name, index) => ({
    debugName: name,
    // A group takes what its modules need along, so each step must have taken its own before the next one does.
    priority: stepNames.length - index,
    name: (id, graph) => {
      steps ??= findSteps(graph, entry);
      const isOwn = steps.get(name)?.has(id) === true;
      return isOwn || (name === 'queries' && hooks.test(id)) ? name : null;
    },
  }));
}
