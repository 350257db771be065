/**
 * The row of hostile mail: each message of the corpora opened in Chromium (bench hostile-mail), an
 * end-to-end test of a message that tries every attack (hostile-mail.test.ts), and the round trip
 * of the corpora (mime-corpus.test.ts).
 */
import { run as runHostileMail } from '../hostile-mail.mjs';
import { lineOfFigure } from './row.mjs';
import { runTests } from './test-run.mjs';

const VIEW_MAX_MS = 2_000;

export const hostileMail = {
  goal: '100 % open, view < 2 s, raw view always; 0 scripts, 0 requests with remote content off, 0 navigation, nothing outside the frame: every message of the corpora by SMTP, opened in Chromium',
  measure: async () => {
    const story = await runTests({ project: 'browser', files: ['apps/web/e2e/hostile-mail.test.ts'] });
    const wayIn = await runTests({
      project: 'integration',
      files: ['apps/server/tests/mime-corpus.test.ts'],
    });
    /** @type {{ bench: string, ours: number | null, met?: boolean | null, failed?: string[], figures?: object }[]} */
    const lines = await runHostileMail([]).catch(error => [{ bench: error.message, ours: null, met: null }]);
    const broken = lines.filter(({ met }) => met === false);
    const open = lines.filter(({ met }) => met === null);
    return lineOfFigure('hostile-mail', hostileMail.goal, {
      ours: lines[0].ours,
      limit: VIEW_MAX_MS,
      unit: 'ms until painted, slowest message',
      failures: [
        ...broken.map(one => `${one.bench}: ${one.ours} ${(one.failed ?? []).join('; ')}`),
        ...[story, wayIn].flatMap(run => run.failed),
      ],
      shortOf: [...open.map(({ bench }) => bench), ...[story, wayIn].flatMap(run => run.notRun)],
      figures: {
        ...Object.fromEntries(lines.map(({ bench, ours }) => [bench, ours])),
        ...lines[0].figures,
        tests: story.passed + wayIn.passed,
      },
    });
  },
};
