/**
 * Which way imports may go (STYLE.md, "Which way imports may go"): one rule per arrow that is easy to cross, each with an
 * id and a sentence. A rule looks at one import at a time; what must hold of the whole graph is in boundaries.mjs.
 * Whatever is not listed as allowed is forbidden.
 */
import { isTestFile } from './source-files.mjs';

/** The workspace a file belongs to, for example 'packages/crypto', or null outside of them. */
export function roomOf(file) {
  return /^(packages|apps)\/[^/]+/.exec(file)?.[0] ?? null;
}

/** Workspaces each workspace may import. For the server's use of crypto see SERVER_CRYPTO. */
const ROOM_ARROWS = {
  'packages/crypto': [],
  'packages/contract': [],
  'packages/mail': [],
  'packages/search': [],
  'packages/import': ['packages/mail'],
  'packages/testing': ['packages/contract', 'packages/crypto', 'packages/mail', 'packages/import'],
  'apps/server': ['packages/contract', 'packages/crypto', 'packages/mail', 'packages/import'],
  'apps/web': ['packages/contract', 'packages/crypto', 'packages/mail', 'packages/search', 'packages/import'],
};

/** The parts of crypto the server may name. Never vault or login: they handle private keys and passwords. */
const SERVER_CRYPTO =
  /^packages\/crypto\/src\/(message|fingerprint|params|errors|attachment|key-log\/hashes)\.ts$/;

/** Libraries each isomorphic package may name; the apps may name what their package.json declares (knip sees to it). */
const ROOM_LIBRARIES = {
  'packages/crypto': /^(@noble\/[a-z-]+|hash-wasm)$/,
  'packages/contract': /^zod$/,
  'packages/mail': /^(postal-mime|ical\.js|dompurify|papaparse|chardet|linkify-it|@exodus\/bytes(?:\/.+)?)$/,
  'packages/search': /^$/,
  'packages/import': /^(@zip\.js\/zip\.js|@kenjiuno\/msgreader)$/,
};

/** Libraries that one folder alone may name, so that replacing one touches one folder. */
const LIBRARY_HOMES = [
  { library: /^dompurify$/, home: /^packages\/mail\/src\/sanitize\// },
  // Root.tsx alone stands outside: it tells the kit of the page's policy before any part is drawn.
  { library: /^@base-ui\/react$/, home: /^apps\/web\/src\/(ui\/|Root\.tsx$)/ },
  {
    library: /^(@capacitor|@aparajita|@capawesome)\//,
    home: /^apps\/(mobile\/|web\/src\/(native|platform)\/)/,
  },
  // The test peer is a mail server too, one that keeps whatever it is sent.
  {
    library: /^(smtp-server|mx-connect|mailauth)$/,
    home: /^(apps\/server\/src\/(smtp|adapters)\/|packages\/testing\/src\/smtp\.ts$)/,
  },
  { library: /^stripe$/, home: /^apps\/server\/src\/adapters\// },
  { library: /^s3mini$/, home: /^apps\/server\/src\/adapters\// },
  { library: /^pg$/, home: /^apps\/server\/src\/(db|jobs)\// },
  { library: /^pg-boss$/, home: /^apps\/server\/src\/jobs\// },
];

/**
 * Files that count as ground though they stand in a room, because others are written in their terms: the shape of a call
 * (who calls, with what), and the words for a mail's flags. As ground they may import nothing but ground.
 */
const SERVER_GROUND = ['base/call-context.ts', 'base/flags.ts'];

/** The place of a server file: its area, and inside features the feature and the part it plays. */
export function serverPlace(file) {
  const inside = file.replace(/^apps\/server\/src\//, '');
  const parts = inside.split('/');
  if (SERVER_GROUND.includes(inside)) return { area: 'base' };
  if (parts.length === 1) return { area: /^(main|app|admin)\.ts$/.test(inside) ? 'top' : 'base' };
  if (parts[0] !== 'features') return { area: parts[0] };
  const role = /^(routes|service|store|jobs)\.ts$/.exec(parts[2] ?? '')?.[1] ?? 'part';
  return { area: 'feature', feature: parts[1], role };
}

/** Areas each server area may import; a feature's parts are told apart in `isServerArrow`. */
const SERVER_AREAS = {
  top: ['top', 'base', 'http', 'smtp', 'jobs', 'db', 'adapters', 'feature'],
  base: ['base'],
  http: ['base', 'http', 'adapters', 'feature'],
  smtp: ['base', 'smtp', 'adapters', 'feature'],
  jobs: ['base', 'jobs', 'db', 'adapters', 'feature'],
  feature: ['base', 'db', 'adapters', 'feature'],
  db: ['base', 'db'],
  adapters: ['base', 'adapters'],
};

/** Parts of a feature that the rooms above may import. */
const FEATURE_DOORS = {
  top: ['routes', 'service', 'store', 'jobs', 'part'],
  http: ['routes', 'service'],
  smtp: ['service'],
  jobs: ['jobs', 'service'],
};

/** True when the server's inner arrows allow it. Types count as much as values, but for `base`, which describes. */
export function isServerArrow(from, to, isType) {
  const a = serverPlace(from);
  const b = serverPlace(to);
  if (a.area === 'base' && isType) return b.area !== 'top';
  if (!SERVER_AREAS[a.area]?.includes(b.area)) return false;
  if (b.area !== 'feature') return !(a.role === 'store' && b.area === 'adapters');
  if (a.area !== 'feature') return FEATURE_DOORS[a.area].includes(b.role);
  // A store speaks to the database alone; whether another feature is entered by its door is a rule of its own.
  return a.role === 'store' ? a.feature === b.feature && ['store', 'part'].includes(b.role ?? '') : true;
}

/** The place of a web file: its area and, inside features, the feature. */
export function webPlace(file) {
  const parts = file.replace(/^apps\/web\/src\//, '').split('/');
  if (parts.length === 1) return { area: /\.tsx$/.test(parts[0]) ? 'top' : 'base' };
  return parts[0] === 'features' ? { area: 'feature', feature: parts[1] } : { area: parts[0] };
}

/**
 * Features that may show parts of others, beside the queries.ts that all may use: the frame around all screens, and
 * conversations, in which answers are written. Never the other way round.
 */
const WEB_FEATURE_USES = {
  shell: ['compose', 'mail', 'account', 'search', 'tags', 'rules', 'settings', 'security'],
  mail: ['compose', 'calendar', 'contacts', 'search', 'tags', 'rules'],
  compose: ['calendar', 'contacts'],
  settings: ['tags', 'compose', 'contacts', 'rules', 'export', 'import'],
  export: ['contacts', 'search'],
  import: ['contacts', 'tags'],
  security: ['settings', 'account', 'rules'],
};

const WEB_AREAS = {
  top: ['top', 'base', 'feature', 'native', 'session', 'crypto', 'platform', 'ui', 'lib', 'theme'],
  base: ['base', 'lib'],
  feature: ['base', 'feature', 'native', 'session', 'crypto', 'platform', 'ui', 'lib', 'theme'],
  // Fetched where the shell is around the page; it alone knows Capacitor.
  native: ['base', 'native', 'session', 'crypto', 'platform', 'ui', 'lib', 'theme'],
  session: ['base', 'native', 'session', 'crypto', 'platform', 'ui', 'lib'],
  crypto: ['base', 'crypto', 'lib'],
  platform: ['base', 'platform', 'lib'],
  ui: ['base', 'ui', 'lib', 'theme'],
  theme: ['base', 'theme', 'lib'],
  lib: ['base', 'lib', 'locales'],
  // Catalogues: data alone, fetched by lib/language-choice.ts.
  locales: [],
};

const inServer = file => file.startsWith('apps/server/src/');
const inWeb = file => file.startsWith('apps/web/src/');
const areBothIn = (edge, isIn) => edge.file && isIn(edge.from) && isIn(edge.file);
const isProduct = edge => !isTestFile(edge.from);

/** Every rule about a single import. `finds` is true for an import that breaks it. */
export const RULES = [
  {
    id: 'file-exists',
    says: 'an import must lead to a file of this tree',
    finds: edge => edge.missing !== undefined && !/\.(css|svg|woff2|wasm)$/.test(edge.missing),
  },
  {
    id: 'room-arrow',
    says: 'this workspace may not import that one',
    finds: edge => {
      const [from, to] = [roomOf(edge.from), edge.file && roomOf(edge.file)];
      if (!from || !to || from === to || to === 'packages/testing') return false;
      if (!isProduct(edge)) return to.startsWith('apps/');
      return !ROOM_ARROWS[from]?.includes(to);
    },
  },
  {
    id: 'package-door',
    says: 'another workspace is entered by an entry of its package.json, not by a path or an unlisted file',
    finds: edge => {
      if (edge.unexported) return true;
      const isOther = edge.file && roomOf(edge.from) !== roomOf(edge.file);
      return Boolean(isOther && edge.specifier.startsWith('.') && roomOf(edge.file) && roomOf(edge.from));
    },
  },
  {
    id: 'testing-in-product',
    says: '@keyfold/testing and test files are for tests alone',
    finds: edge => {
      if (!edge.file || !isProduct(edge)) return false;
      const isTesting = roomOf(edge.file) === 'packages/testing' && roomOf(edge.from) !== 'packages/testing';
      return isTesting || isTestFile(edge.file);
    },
  },
  {
    id: 'room-library',
    says: 'this package may not use that library',
    finds: edge => {
      const allowed = ROOM_LIBRARIES[roomOf(edge.from)];
      return Boolean(edge.library && allowed && isProduct(edge) && !allowed.test(edge.library));
    },
  },
  {
    id: 'library-home',
    says: 'one folder alone may use that library',
    finds: edge => {
      if (!edge.library || !isProduct(edge) || !roomOf(edge.from)) return false;
      return LIBRARY_HOMES.some(({ library, home }) => library.test(edge.library) && !home.test(edge.from));
    },
  },
  {
    id: 'node-builtin',
    says: 'isomorphic packages and the web client may not use modules of Node',
    finds: edge =>
      edge.builtin !== undefined &&
      isProduct(edge) &&
      /^(packages\/(crypto|contract|mail|search|import)|apps\/web)\/src\//.test(edge.from),
  },
  {
    id: 'server-crypto',
    says: 'the server may use message, fingerprint, params, errors and attachment of crypto, and nothing else',
    finds: edge =>
      Boolean(
        inServer(edge.from) &&
          isProduct(edge) &&
          edge.file?.startsWith('packages/crypto/') &&
          !SERVER_CRYPTO.test(edge.file),
      ),
  },
  {
    id: 'server-arrow',
    says: 'inside the server: main, app, then http, smtp and jobs, then routes, service, store, then db',
    finds: edge =>
      isProduct(edge) && areBothIn(edge, inServer) && !isServerArrow(edge.from, edge.file, edge.isType),
  },
  {
    id: 'server-feature-door',
    says: 'a feature of the server meets another only through its service.ts',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inServer)) return false;
      const [from, to] = [serverPlace(edge.from), serverPlace(edge.file)];
      return (
        from.area === 'feature' &&
        to.area === 'feature' &&
        from.feature !== to.feature &&
        to.role !== 'service'
      );
    },
  },
  {
    id: 'web-arrow',
    says: 'inside the web client: routes, features, then session, crypto, platform, ui and lib',
    finds: edge =>
      isProduct(edge) &&
      areBothIn(edge, inWeb) &&
      !WEB_AREAS[webPlace(edge.from).area]?.includes(webPlace(edge.file).area),
  },
  {
    id: 'web-feature-door',
    says: 'a feature of the web client may use the queries.ts of another, and what WEB_FEATURE_USES lists',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inWeb)) return false;
      const [from, to] = [webPlace(edge.from), webPlace(edge.file)];
      const isOther = from.area === 'feature' && to.area === 'feature' && from.feature !== to.feature;
      if (!isOther || WEB_FEATURE_USES[from.feature]?.includes(to.feature)) return false;
      return !/\/queries\.ts$/.test(edge.file);
    },
  },
  {
    id: 'web-crypto-door',
    says: 'the web client reaches crypto through src/crypto, so that no primitive runs on the main thread',
    finds: edge => {
      if (!inWeb(edge.from) || !isProduct(edge) || edge.isType || inWeb(edge.file ?? '')) return false;
      const isCrypto =
        edge.file?.startsWith('packages/crypto/') &&
        !/\/(params|errors|recovery-phrase)\.ts$/.test(edge.file);
      return Boolean(isCrypto) && webPlace(edge.from).area !== 'crypto';
    },
  },
];
