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

/** The place of a server file: its area, and inside features the district, the feature and the part it plays. */
export function serverPlace(file) {
  const parts = file.replace(/^apps\/server\/src\//, '').split('/');
  if (parts.length === 1) return { area: 'top' };
  if (parts[0] !== 'features') return { area: parts[0] };
  const role = /^(index|routes|service|store|jobs)\.ts$/.exec(parts[3] ?? '')?.[1] ?? 'part';
  return { area: 'feature', district: parts[1], feature: `${parts[1]}/${parts[2]}`, role };
}

/** Areas each server area may import, types like values; a feature's parts are told apart in `isServerArrow`. */
const SERVER_AREAS = {
  top: ['top', 'base', 'config', 'context', 'http', 'smtp', 'jobs', 'db', 'adapters', 'feature'],
  base: ['base'],
  config: ['base', 'config'],
  db: ['base', 'config', 'db'],
  adapters: ['base', 'config', 'adapters'],
  context: ['base', 'config', 'db', 'adapters', 'context'],
  feature: ['base', 'config', 'db', 'adapters', 'context', 'feature'],
  http: ['base', 'config', 'adapters', 'context', 'feature', 'http'],
  smtp: ['base', 'config', 'adapters', 'context', 'feature', 'smtp'],
  jobs: ['base', 'config', 'db', 'adapters', 'context', 'feature', 'jobs'],
};

/** Districts of features that each district may use, as ARCHITECTURE.md draws them; nobody uses a district that uses it. */
export const DISTRICTS = {
  support: [],
  mailbox: [],
  reports: [],
  accounts: ['mailbox', 'support'],
  inbound: ['accounts', 'mailbox', 'support'],
  outbound: ['accounts', 'inbound', 'mailbox', 'reports', 'support'],
  reading: ['accounts', 'inbound', 'mailbox', 'outbound'],
  organization: ['accounts', 'inbound', 'mailbox', 'outbound', 'support'],
  imports: ['accounts', 'inbound', 'mailbox', 'outbound', 'reading', 'support'],
  clients: ['accounts', 'mailbox'],
  operator: ['accounts', 'clients', 'imports', 'mailbox', 'outbound', 'reports', 'support'],
};

/** Parts of a feature that the rooms above may import. */
const FEATURE_DOORS = {
  top: ['index', 'routes', 'service', 'store', 'jobs', 'part'],
  http: ['index', 'routes'],
  smtp: ['index'],
  jobs: ['index', 'jobs'],
};

/** True when the server's inner arrows allow it. */
export function isServerArrow(from, to) {
  const a = serverPlace(from);
  const b = serverPlace(to);
  if (!SERVER_AREAS[a.area]?.includes(b.area)) return false;
  if (b.area !== 'feature') return !(a.role === 'store' && b.area === 'adapters');
  if (a.area !== 'feature') return FEATURE_DOORS[a.area].includes(b.role);
  // A store speaks to the database alone; whether another feature is entered by its door is a rule of its own.
  if (a.role === 'store') return a.feature === b.feature && ['store', 'part'].includes(b.role);
  return a.district === b.district || Boolean(DISTRICTS[a.district]?.includes(b.district));
}

/** The place of a web file: its area and, inside features, the feature. */
export function webPlace(file) {
  const parts = file.replace(/^apps\/web\/src\//, '').split('/');
  if (parts.length === 1) return { area: /\.tsx$/.test(parts[0]) ? 'top' : 'base' };
  if (parts[0] !== 'features') return { area: parts[0] };
  // Mail is five rooms with arrows between them; everything else is one.
  const room = parts[1] === 'mail' && parts.length > 3 ? `mail/${parts[2]}` : parts[1];
  return { area: 'feature', feature: room };
}

/** Features and rooms that each feature of the web client may use, types like values; never in a circle. */
export const WEB_FEATURES = {
  addresses: ['billing'],
  calendar: ['mail/state'],
  compose: ['calendar', 'contacts'],
  domains: ['addresses', 'billing'],
  export: ['contacts', 'import', 'search'],
  import: ['contacts', 'tags'],
  mail: ['compose', 'mail/list', 'mail/reader', 'mail/state'],
  'mail/attachments': ['mail/state'],
  'mail/list': ['compose', 'mail/state', 'search', 'tags'],
  'mail/reader': [
    'calendar',
    'compose',
    'contacts',
    'mail/attachments',
    'mail/frame',
    'mail/list',
    'mail/state',
    'rules',
  ],
  'mail/state': ['search'],
  organization: ['billing'],
  rules: ['mail/state'],
  security: ['auth', 'billing', 'rules'],
  settings: [
    'addresses',
    'billing',
    'compose',
    'contacts',
    'device',
    'domains',
    'export',
    'import',
    'notifications',
    'organization',
    'rules',
    'security',
    'signatures',
    'tags',
  ],
  shell: ['compose', 'mail/list', 'mail/reader', 'mail/state', 'rules', 'search', 'settings', 'tags'],
  signatures: ['compose'],
  tags: ['mail/state'],
};

/**
 * Rooms inside an area or a feature of the web client, with the rooms each may use; '' is what stands beside them. The rooms of
 * features/mail are in WEB_FEATURES.
 */
export const WEB_ROOMS = {
  session: {
    '': ['calls', 'news', 'state'],
    state: [],
    calls: ['state'],
    commands: [],
    news: ['calls', 'state'],
    trust: ['', 'calls', 'state'],
    'sign-in': ['', 'calls', 'news', 'state', 'trust'],
  },
  crypto: {
    '': ['export', 'import', 'keys', 'mail', 'reading', 'search', 'worker'],
    worker: [],
    keys: ['worker'],
    mail: ['keys', 'worker'],
    reading: ['keys', 'mail', 'worker'],
    search: ['reading', 'worker'],
    import: ['keys', 'mail', 'worker'],
    export: ['reading', 'worker'],
  },
  'features/compose': {
    '': ['draft', 'windows', 'recipients', 'rich', 'sending', 'text'],
    rich: [],
    draft: [],
    recipients: ['draft'],
    text: ['draft', 'rich'],
    windows: ['draft', 'rich', 'text'],
    sending: ['draft', 'windows', 'recipients'],
  },
};

/** The room of a web file inside `area`; undefined when it stands in another area. */
function webRoom(area, file) {
  const start = `apps/web/src/${area}/`;
  if (!file.startsWith(start)) return undefined;
  const parts = file.slice(start.length).split('/');
  return parts.length === 1 ? '' : parts[0];
}

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
    id: 'contract-core',
    says: 'what calls are made of (contract/src/core) knows no call',
    finds: edge =>
      isProduct(edge) &&
      edge.from.startsWith('packages/contract/src/core/') &&
      Boolean(edge.file?.startsWith('packages/contract/src/')) &&
      !edge.file.startsWith('packages/contract/src/core/'),
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
    says: 'inside the server: main, app, then http, smtp and jobs, then features (DISTRICTS), context, adapters and db, config, base',
    finds: edge => isProduct(edge) && areBothIn(edge, inServer) && !isServerArrow(edge.from, edge.file),
  },
  {
    id: 'server-feature-door',
    says: 'a feature of the server meets another only through its index.ts',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inServer)) return false;
      const [from, to] = [serverPlace(edge.from), serverPlace(edge.file)];
      return (
        from.area === 'feature' && to.area === 'feature' && from.feature !== to.feature && to.role !== 'index'
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
    says: 'a feature of the web client may use those that WEB_FEATURES lists for it',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inWeb)) return false;
      const [from, to] = [webPlace(edge.from), webPlace(edge.file)];
      const isOther = from.area === 'feature' && to.area === 'feature' && from.feature !== to.feature;
      return isOther && !WEB_FEATURES[from.feature]?.includes(to.feature);
    },
  },
  {
    id: 'web-room-arrow',
    says: 'a room of the web client may use those that WEB_ROOMS lists for it',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inWeb)) return false;
      return Object.entries(WEB_ROOMS).some(([area, arrows]) => {
        const [from, to] = [webRoom(area, edge.from), webRoom(area, edge.file)];
        if (from === undefined || to === undefined || from === to) return false;
        return !arrows[from]?.includes(to);
      });
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
