/**
 * Capacitor hook that runs after the web client is copied into a native project. It adds the page's
 * policy, which browsers get from the server's headers, starts the client through page/shell.js,
 * and deletes files that only a server or a browser needs. It changes only the given copy, never
 * the build.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Location of the copy in each project. */
const copies = { android: 'android/app/src/main/assets/public', ios: 'ios/App/App/public' };

/**
 * Content security policy of the page in the shell: the server's own (security-headers.ts), except
 * that it allows calls to the chosen server. Plain http is allowed for the user's own machine; the
 * page rewrites any other http address to https, and both systems refuse it.
 */
export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:* http://10.0.2.2:*",
  "frame-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types mail-body workers ProseMirrorClipboard',
].join('; ');

/**
 * Returns the start page with its policy, first in its head. On iOS the page's own scheme is listed
 * beside 'self', which does not reliably match custom schemes. Throws when there is no head.
 */
export function withPolicy(html, platform) {
  const own = platform === 'ios' ? policy.replaceAll("'self'", "'self' capacitor:") : policy;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${own}" />`;
  if (!/<head>/.test(html)) throw new Error('The start page has no head');
  return html
    .replace(/\s*<link rel="manifest"[^>]*>/, '')
    .replace(/<head>(\s*<meta charset="[^"]*" ?\/?>)?/, head => `${head}\n    ${meta}`);
}

/**
 * Returns the start page without its policy for browsers and without integrity hashes: the shell
 * changes the files they cover, and those files ship with the app in one package.
 */
export const withoutIntegrity = html =>
  html
    .replace(/\s*<script type="importmap">[^<]*<\/script>/, '')
    .replace(/\s*<meta http-equiv="Content-Security-Policy"[^>]*>/, '')
    .replace(/ integrity="[^"]*"/g, '');

const CLIENT = /<script type="module" crossorigin src="(\/bundle\.index\.[\w-]+\.js)"><\/script>/;

/**
 * Returns the start page with the shell's entry point in place of the client's script, and records
 * that script's path for the shell. Throws when there is no such script.
 */
export function withShell(html) {
  if (!CLIENT.test(html)) throw new Error('The start page has no script of the web client');
  return html.replace(
    CLIENT,
    (_, client) =>
      `<meta name="keyfold-client" content="${client}" />\n    <link rel="stylesheet" href="/shell/shell.css" />\n    <script type="module" src="/shell/shell.js"></script>`,
  );
}

/** Returns whether a file is the entry point of a worker, which calls the server by itself. */
export const isWorker = name => /^bundle\.[\w.-]*worker[\w.-]*\.js$/.test(name);

const SPARE = ['.inputs', 'hashes.txt', 'manifest.webmanifest', 'sbom.cdx.json', 'service-worker.js'];

/**
 * Returns whether a file of the web client is useless inside an app: precompressed variants, files
 * for installing the client in a browser, and build metadata.
 */
export const isSpare = name => /\.(br|gz)$/.test(name) || SPARE.includes(name);

/**
 * The file that Firebase requires in the Android app; calling Firebase without it would crash the
 * app.
 */
const firebaseFile = 'android/app/google-services.json';

/**
 * Returns the start page with a flag for whether this app can receive push notifications: the
 * Android app cannot without Firebase. Throws when there is no head.
 */
export function withPush(html, canPush) {
  if (!html.includes('</head>')) throw new Error('The start page has no head');
  return html.replace(
    '</head>',
    `  <meta name="keyfold-push" content="${canPush ? 'on' : 'off'}" />\n  </head>`,
  );
}

/** Adapts a copy of the web client to the shell. */
export function fitCopy(folder, platform, canPush = true) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (!statSync(file).isFile()) continue;
    if (isSpare(path.basename(name))) rmSync(file);
    else if (isWorker(path.basename(name)))
      writeFileSync(file, `import '/shell/worker.js';\n${readFileSync(file, 'utf8')}`);
  }
  const page = path.join(folder, 'index.html');
  const html = withoutIntegrity(readFileSync(page, 'utf8'));
  writeFileSync(page, withPush(withShell(withPolicy(html, platform)), canPush));
  cpSync(fileURLToPath(new URL('../page', import.meta.url)), path.join(folder, 'shell'), { recursive: true });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { CAPACITOR_ROOT_DIR: root = process.cwd(), CAPACITOR_PLATFORM_NAME: platform } = process.env;
  const copy = copies[platform];
  const canPush = platform !== 'android' || existsSync(path.join(root, firebaseFile));
  if (copy !== undefined) fitCopy(path.join(root, copy), platform, canPush);
}
