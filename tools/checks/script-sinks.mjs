/**
 * Lists the places where text can become markup or code in a page, with their count per file, so
 * that a new one is a deliberate decision. The Trusted Types policies that the code creates must be
 * those named in the Content-Security-Policy of the server and of the shell, and none may be a
 * default policy. Does not check what the places do.
 */
import { isSourceFile, isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';

/** Sinks of https://www.w3.org/TR/trusted-types/ and similar constructs. */
const SINK =
  /\.(?:innerHTML|outerHTML|srcdoc)\s*\+?=(?!=)|\binsertAdjacentHTML\b|\bdocument\.write|\bparseFromString\(|\bsrcDoc\b|\bnew (?:Shared)?Worker\(|\bimportScripts\(|\beval\(|\bnew Function\(|\bdangerouslySetInnerHTML\b|\bcreateContextualFragment\(|\bserviceWorker\.register\(|\bsetHTMLUnsafe\(|\.addModule\(|\bcreatePolicy\(['"`]/g;

/**
 * Allowed number of sinks per file.
 * @type {Record<string, number>}
 */
const KNOWN = {
  // Registers the service worker with a URL from the policy `workers`.
  'apps/web/src/platform/version-watch.ts': 1,
  // Starts every worker with a URL from the same policy.
  'apps/web/src/crypto/worker/start-worker.ts': 1,
  // The policy `workers`.
  'apps/web/src/lib/script-url.ts': 1,
  // Inserts sanitized markup from the policy `mail-body` into the frame of a message and into the
  // printed page.
  'apps/web/src/features/mail/frame/frame-document.ts': 1,
  'apps/web/src/features/mail/reader/print/print-messages.ts': 1,
  // Parses untrusted markup into an inert document, through the policy `mail-body`.
  'packages/mail/src/sanitize/index.ts': 1,
  // The policy `mail-body`.
  'packages/mail/src/sanitize/policy.ts': 1,
};

const SHIPPED =
  /^(?:apps\/web\/src|apps\/mobile\/page|packages\/(?:contract|crypto|import|mail|search)\/src)\//;
const POLICIES = ['packages/contract/src/core/page-policy.ts', 'apps/mobile/tools/after-copy.mjs'];
/** Created by ProseMirror on paste. */
const OTHERS = ['ProseMirrorClipboard'];

/** Returns the differences between the sinks in `sources` (file to text) and the known ones. */
export function findSinkProblems(sources, known = KNOWN) {
  const problems = [];
  for (const [file, text] of Object.entries(sources)) {
    const found = [...text.matchAll(SINK)].map(([sink]) => sink);
    const wanted = known[file] ?? 0;
    if (found.length > wanted)
      problems.push(
        `${file}: ${found.length} sinks where text may become code or markup (${found.join(', ')}); ${wanted} allowed`,
      );
    if (found.length < wanted)
      problems.push(`${file}: has ${found.length} sinks, but ${wanted} are listed. Lower the number.`);
  }
  for (const file of Object.keys(known))
    if (!(file in sources)) problems.push(`${file}: is listed but does not exist`);
  return problems;
}

/**
 * Returns the differences between the policies that `sources` create and those that `policyText`, a
 * Content-Security-Policy, names.
 */
export function findPolicyProblems(sources, policyText) {
  const made = Object.values(sources).flatMap(text =>
    [...text.matchAll(/createPolicy\(['"`]([^'"`]+)/g)].map(([, name]) => name),
  );
  const wanted = [...new Set([...made, ...OTHERS])].sort().join(' ');
  const named = /'trusted-types ([^';]+)'/.exec(policyText)?.[1].split(' ').sort().join(' ');
  if (named !== wanted) return [`names the policies ${named}; the code creates ${wanted}`];
  return policyText.includes(`"require-trusted-types-for 'script'"`)
    ? []
    : ['does not require trusted types'];
}

export function checkScriptSinks() {
  const files = listProjectFiles().filter(
    file => SHIPPED.test(file) && isSourceFile(file) && !isTestFile(file),
  );
  const sources = Object.fromEntries(files.map(file => [file, readProjectFile(file)]));
  return [
    ...findSinkProblems(sources),
    ...POLICIES.flatMap(file =>
      findPolicyProblems(sources, readProjectFile(file)).map(problem => `${file}: ${problem}`),
    ),
  ];
}
