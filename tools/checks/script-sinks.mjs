/**
 * Where text can become markup or a program in a page: each such place is named here, with how often it stands in its file, so
 * that a new one is a decision. The policies of Trusted Types that the code makes are those that the server's and the
 * shell's Content-Security-Policy name, and no policy is a default one. Knows nothing of what the places do.
 */
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';

/** Sinks of https://www.w3.org/TR/trusted-types/ and what comes near them. */
const SINK =
  /\.(?:innerHTML|outerHTML|srcdoc)\s*\+?=(?!=)|\binsertAdjacentHTML\b|\bdocument\.write|\bparseFromString\(|\bsrcDoc\b|\bnew (?:Shared)?Worker\(|\bimportScripts\(|\beval\(|\bnew Function\(|\bdangerouslySetInnerHTML\b|\bcreateContextualFragment\(|\bserviceWorker\.register\(|\bsetHTMLUnsafe\(|\.addModule\(|\bcreatePolicy\(['"`]/g;

/**
 * File to how many sinks it may have.
 * @type {Record<string, number>}
 */
const KNOWN = {
  // Registers the service worker, by an address of the policy `workers`.
  'apps/web/src/platform/version-watch.ts': 1,
  // Starts every worker, by an address of the same policy.
  'apps/web/src/crypto/worker/start-worker.ts': 1,
  // The policy `workers`.
  'apps/web/src/lib/script-url.ts': 1,
  // Sanitised markup, of the policy `mail-body`, into the frame of a mail, and into the page that is printed.
  'apps/web/src/features/mail/frame/frame-document.ts': 1,
  'apps/web/src/features/mail/reader/print/print-messages.ts': 1,
  // Parses hostile markup into a document that runs nothing, by the policy `mail-body`.
  'packages/mail/src/sanitize/index.ts': 1,
  // The policy `mail-body`.
  'packages/mail/src/sanitize/policy.ts': 1,
};

const ROOMS =
  /^(?:apps\/web\/src|apps\/mobile\/page|packages\/(?:contract|crypto|import|mail|search)\/src)\//;
const POLICIES = ['packages/contract/src/core/page-policy.ts', 'apps/mobile/tools/after-copy.mjs'];
/** Made by ProseMirror, when something is pasted. */
const OTHERS = ['ProseMirrorClipboard'];

/** What differs between the sinks in `sources` (file to text) and those that are known. */
export function findSinkProblems(sources, known = KNOWN) {
  const problems = [];
  for (const [file, text] of Object.entries(sources)) {
    const found = [...text.matchAll(SINK)].map(([sink]) => sink);
    const wanted = known[file] ?? 0;
    if (found.length > wanted)
      problems.push(
        `${file}: text may become a program or markup here (${found.join(', ')}); ${wanted} known`,
      );
    if (found.length < wanted) problems.push(`${file}: ${found.length} sinks are left, ${wanted} are listed`);
  }
  for (const file of Object.keys(known)) if (!(file in sources)) problems.push(`${file}: is listed and gone`);
  return problems;
}

/** What differs between the policies that `sources` make and those that `policyText`, a Content-Security-Policy, names. */
export function findPolicyProblems(sources, policyText) {
  const made = Object.values(sources).flatMap(text =>
    [...text.matchAll(/createPolicy\(['"`]([^'"`]+)/g)].map(([, name]) => name),
  );
  const wanted = [...new Set([...made, ...OTHERS])].sort().join(' ');
  const named = /'trusted-types ([^';]+)'/.exec(policyText)?.[1].split(' ').sort().join(' ');
  if (named !== wanted) return [`names the policies ${named}; the code makes ${wanted}`];
  return policyText.includes(`"require-trusted-types-for 'script'"`)
    ? []
    : ['does not require trusted types'];
}

export function checkScriptSinks() {
  const files = listProjectFiles().filter(
    file => ROOMS.test(file) && isSourceFile(file) && !isTestFile(file),
  );
  const sources = Object.fromEntries(files.map(file => [file, readProjectFile(file)]));
  return [
    ...findSinkProblems(sources),
    ...POLICIES.flatMap(file =>
      findPolicyProblems(sources, readProjectFile(file)).map(problem => `${file}: ${problem}`),
    ),
  ];
}
