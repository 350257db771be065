/**
 * What Capacitor runs after it has copied the web client into a native project: the copy gets the page's policy, which
 * browsers have from the server's headers, starts by way of page/shell.js, and loses what only a server or a browser needs. Spoils no other folder: it
 * works on the copy that it is told of, never on the build.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where the copy lies in each project. */
const copies = { android: 'android/app/src/main/assets/public', ios: 'ios/App/App/public' };

/**
 * The policy of the page in the shell: the server's own (security-headers.ts), but that calls go to the server that was
 * chosen. Plain http is there for one's own machine; anything else the page itself rewrites to https, and both systems
 * refuse.
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
 * The start page with its policy, first in its head. On iOS the page's own scheme is named beside 'self', which means little
 * for schemes of a program. Throws when there is no head.
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
 * The start page without the hashes of what it loads, which the shell changes, and which comes with the app in one package;
 * and without its policy for browsers.
 */
export const withoutIntegrity = html =>
  html
    .replace(/\s*<script type="importmap">[^<]*<\/script>/, '')
    .replace(/\s*<meta http-equiv="Content-Security-Policy"[^>]*>/, '')
    .replace(/ integrity="[^"]*"/g, '');

const CLIENT = /<script type="module" crossorigin src="(\/bundle\.index\.[\w-]+\.js)"><\/script>/;

/** The start page with the shell's own start in place of the client's script, which it names. Throws when there is none. */
export function withShell(html) {
  if (!CLIENT.test(html)) throw new Error('The start page has no script of the web client');
  return html.replace(
    CLIENT,
    (_, client) =>
      `<meta name="keyfold-client" content="${client}" />\n    <link rel="stylesheet" href="/shell/shell.css" />\n    <script type="module" src="/shell/shell.js"></script>`,
  );
}

/** Whether a file is the start of a worker, which calls the server by itself. */
export const isWorker = name => /^bundle\.[\w.-]*worker[\w.-]*\.js$/.test(name);

const SPARE = ['.inputs', 'hashes.txt', 'manifest.webmanifest', 'sbom.cdx.json', 'service-worker.js'];

/** Whether a file of the web client is of no use inside an app: precompressed variants, what a browser installs, and what is said of a build. */
export const isSpare = name => /\.(br|gz)$/.test(name) || SPARE.includes(name);

/** What Firebase wants to find in the Android app; asking it for anything without that would end the program. */
const firebaseFile = 'android/app/google-services.json';

/** The start page with a word on whether this app can be pushed to: Android's without Firebase cannot. Throws when it has no head. */
export function withPush(html, canPush) {
  if (!html.includes('</head>')) throw new Error('The start page has no head');
  return html.replace(
    '</head>',
    `  <meta name="keyfold-push" content="${canPush ? 'on' : 'off'}" />\n  </head>`,
  );
}

/** Makes a copy of the web client fit for the shell. */
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
