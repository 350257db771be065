// Whether tests run against several nodes that are killed in turn; set by `npm run test:nodes`.

/** Number of nodes of a test's product; 0 means one process that does everything. */
export const clusterNodes = Number(process.env.KEYFOLD_E2E_CLUSTER ?? 0);

const killMs = Number(process.env.KEYFOLD_E2E_KILL_MS ?? 0);

/** Pause between two kills, in ms; null when no node is killed. */
export const clusterKillsMs = clusterNodes > 0 && killMs > 0 ? killMs : null;
