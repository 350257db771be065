// Whether stories run against several nodes that are killed in turn; `npm run test:nodes` says so.

/** Nodes of a story's product; 0: one process that has all. */
export const clusterNodes = Number(process.env.KEYFOLD_E2E_CLUSTER ?? 0);

const killMs = Number(process.env.KEYFOLD_E2E_KILL_MS ?? 0);

/** Pause between two kills, ms; null: nobody is killed. */
export const clusterKillsMs = clusterNodes > 0 && killMs > 0 ? killMs : null;
