/**
 * Allowed import directions (STYLE.md, "Which way imports may go"): one rule per boundary that is
 * easy to cross, each with an id and a sentence. A rule checks a single import; whole-graph rules
 * are in boundaries.mjs. Anything not listed as allowed is forbidden.
 */
import { isTestFile } from './source-files.mjs';

/**
 * Returns the workspace of a file, for example 'packages/crypto', or null outside the workspaces.
 */
export function workspaceOf(file) {
  return /^(packages|apps)\/[^/]+/.exec(file)?.[0] ?? null;
}

/** Workspaces that each workspace may import. For the server's use of crypto see SERVER_CRYPTO. */
const WORKSPACE_IMPORTS = {
  'packages/crypto': [],
  'packages/contract': [],
  'packages/mail': [],
  'packages/search': [],
  'packages/import': ['packages/mail'],
  'packages/testing': ['packages/contract', 'packages/crypto', 'packages/mail', 'packages/import'],
  'apps/server': ['packages/contract', 'packages/crypto', 'packages/mail', 'packages/import'],
  'apps/web': ['packages/contract', 'packages/crypto', 'packages/mail', 'packages/search', 'packages/import'],
};

/**
 * Parts of crypto that the server may import. Never vault or login: they handle private keys and
 * passwords.
 */
const SERVER_CRYPTO =
  /^packages\/crypto\/src\/(message|fingerprint|params|errors|attachment|key-log\/hashes)\.ts$/;

/**
 * Libraries that each isomorphic package may import. The apps may import what their package.json
 * declares (checked by knip).
 */
const PACKAGE_LIBRARIES = {
  'packages/crypto': /^(@noble\/[a-z-]+|hash-wasm)$/,
  'packages/contract': /^zod$/,
  'packages/mail': /^(postal-mime|ical\.js|dompurify|papaparse|chardet|linkify-it|@exodus\/bytes(?:\/.+)?)$/,
  'packages/search': /^$/,
  'packages/import': /^(@zip\.js\/zip\.js|@kenjiuno\/msgreader)$/,
};

/** Libraries that only one folder may import, so that replacing one touches one folder. */
const LIBRARY_HOMES = [
  { library: /^dompurify$/, home: /^packages\/mail\/src\/sanitize\// },
  // Root.tsx is the only exception: it passes the page's policy to the UI kit before any component
  // renders.
  { library: /^@base-ui\/react$/, home: /^apps\/web\/src\/(ui\/|Root\.tsx$)/ },
  {
    library: /^(@capacitor|@aparajita|@capawesome)\//,
    home: /^apps\/(mobile\/|web\/src\/(native|platform)\/)/,
  },
  // The test peer is a mail server too; it keeps everything it receives.
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
 * Returns the place of a server file: its area, and within features the district, the feature and
 * its role.
 */
export function serverPlace(file) {
  const parts = file.replace(/^apps\/server\/src\//, '').split('/');
  if (parts.length === 1) return { area: 'top' };
  if (parts[0] !== 'features') return { area: parts[0] };
  const role = /^(index|routes|service|store|jobs)\.ts$/.exec(parts[3] ?? '')?.[1] ?? 'part';
  return { area: 'feature', district: parts[1], feature: `${parts[1]}/${parts[2]}`, role };
}

/**
 * Areas that each server area may import, types and values alike. `isAllowedServerImport`
 * distinguishes the parts of a feature.
 */
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

/**
 * Districts of features that each district may use, as ARCHITECTURE.md draws them. Districts never
 * use each other mutually.
 */
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

/** Parts of a feature that other areas may import. */
const FEATURE_ENTRIES = {
  top: ['index', 'routes', 'service', 'store', 'jobs', 'part'],
  http: ['index', 'routes'],
  smtp: ['index'],
  jobs: ['index', 'jobs'],
};

/** Reports whether the server's import rules allow an import. */
export function isAllowedServerImport(from, to) {
  const a = serverPlace(from);
  const b = serverPlace(to);
  if (!SERVER_AREAS[a.area]?.includes(b.area)) return false;
  if (b.area !== 'feature') return !(a.role === 'store' && b.area === 'adapters');
  if (a.area !== 'feature') return FEATURE_ENTRIES[a.area].includes(b.role);
  // A store talks only to the database. A separate rule checks that other features are imported
  // only through their entry points.
  if (a.role === 'store') return a.feature === b.feature && ['store', 'part'].includes(b.role);
  return a.district === b.district || Boolean(DISTRICTS[a.district]?.includes(b.district));
}

/** Returns the place of a web file: its area and, within features, the feature. */
export function webPlace(file) {
  const parts = file.replace(/^apps\/web\/src\//, '').split('/');
  if (parts.length === 1) return { area: /\.tsx$/.test(parts[0]) ? 'top' : 'base' };
  if (parts[0] !== 'features') return { area: parts[0] };
  // The mail feature consists of five layers with import rules between them; every other feature is
  // one layer.
  const feature = parts[1] === 'mail' && parts.length > 3 ? `mail/${parts[2]}` : parts[1];
  return { area: 'feature', feature };
}

/**
 * Features and layers that each web client feature may use, types and values alike. Cycles are not
 * allowed.
 */
export const WEB_FEATURES = {
  addresses: ['billing'],
  admin: ['organization'],
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
 * Layers within an area or a feature of the web client, with the layers each may use; '' is the
 * files beside them. The layers of features/mail are in WEB_FEATURES.
 */
export const WEB_LAYERS = {
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

/** Returns the layer of a web file inside `area`, or undefined if it is in another area. */
function webLayer(area, file) {
  const start = `apps/web/src/${area}/`;
  if (!file.startsWith(start)) return undefined;
  const parts = file.slice(start.length).split('/');
  return parts.length === 1 ? '' : parts[0];
}

const WEB_AREAS = {
  top: ['top', 'base', 'feature', 'native', 'session', 'crypto', 'platform', 'ui', 'lib', 'theme'],
  base: ['base', 'lib'],
  feature: ['base', 'feature', 'native', 'session', 'crypto', 'platform', 'ui', 'lib', 'theme'],
  // Loaded only inside the native shell; the only area that uses Capacitor.
  native: ['base', 'native', 'session', 'crypto', 'platform', 'ui', 'lib', 'theme'],
  session: ['base', 'native', 'session', 'crypto', 'platform', 'ui', 'lib'],
  crypto: ['base', 'crypto', 'lib'],
  platform: ['base', 'platform', 'lib'],
  ui: ['base', 'ui', 'lib', 'theme'],
  theme: ['base', 'theme', 'lib'],
  lib: ['base', 'lib', 'locales'],
  // Catalogs: data only, loaded by lib/language-choice.ts.
  locales: [],
};

const inServer = file => file.startsWith('apps/server/src/');
const inWeb = file => file.startsWith('apps/web/src/');
const areBothIn = (edge, isIn) => edge.file && isIn(edge.from) && isIn(edge.file);
const isProduct = edge => !isTestFile(edge.from);

/** Every rule about a single import. `finds` returns true for an import that breaks the rule. */
export const RULES = [
  {
    id: 'file-exists',
    says: 'the imported file must exist',
    finds: edge => edge.missing !== undefined && !/\.(css|svg|woff2|wasm)$/.test(edge.missing),
  },
  {
    id: 'workspace-import',
    says: 'this workspace may not import the other one',
    finds: edge => {
      const [from, to] = [workspaceOf(edge.from), edge.file && workspaceOf(edge.file)];
      if (!from || !to || from === to || to === 'packages/testing') return false;
      if (!isProduct(edge)) return to.startsWith('apps/');
      return !WORKSPACE_IMPORTS[from]?.includes(to);
    },
  },
  {
    id: 'package-entry',
    says: 'import another workspace through the exports of its package.json, not through a path or an unlisted file',
    finds: edge => {
      if (edge.unexported) return true;
      const isOther = edge.file && workspaceOf(edge.from) !== workspaceOf(edge.file);
      return Boolean(
        isOther && edge.specifier.startsWith('.') && workspaceOf(edge.file) && workspaceOf(edge.from),
      );
    },
  },
  {
    id: 'testing-in-product',
    says: 'only tests may import @keyfold/testing and test files',
    finds: edge => {
      if (!edge.file || !isProduct(edge)) return false;
      const isTesting =
        workspaceOf(edge.file) === 'packages/testing' && workspaceOf(edge.from) !== 'packages/testing';
      return isTesting || isTestFile(edge.file);
    },
  },
  {
    id: 'package-library',
    says: 'this package may not import the library',
    finds: edge => {
      const allowed = PACKAGE_LIBRARIES[workspaceOf(edge.from)];
      return Boolean(edge.library && allowed && isProduct(edge) && !allowed.test(edge.library));
    },
  },
  {
    id: 'library-home',
    says: 'only one folder may import the library',
    finds: edge => {
      if (!edge.library || !isProduct(edge) || !workspaceOf(edge.from)) return false;
      return LIBRARY_HOMES.some(({ library, home }) => library.test(edge.library) && !home.test(edge.from));
    },
  },
  {
    id: 'node-builtin',
    says: 'isomorphic packages and the web client may not import Node modules',
    finds: edge =>
      edge.builtin !== undefined &&
      isProduct(edge) &&
      /^(packages\/(crypto|contract|mail|search|import)|apps\/web)\/src\//.test(edge.from),
  },
  {
    id: 'contract-core',
    says: 'contract/src/core may not import the calls',
    finds: edge =>
      isProduct(edge) &&
      edge.from.startsWith('packages/contract/src/core/') &&
      Boolean(edge.file?.startsWith('packages/contract/src/')) &&
      !edge.file.startsWith('packages/contract/src/core/'),
  },
  {
    id: 'server-crypto',
    says: 'of crypto, the server may import only message, fingerprint, params, errors and attachment',
    finds: edge =>
      Boolean(
        inServer(edge.from) &&
          isProduct(edge) &&
          edge.file?.startsWith('packages/crypto/') &&
          !SERVER_CRYPTO.test(edge.file),
      ),
  },
  {
    id: 'server-area',
    says: 'allowed order in the server: main, app, then http, smtp and jobs, then features (DISTRICTS), context, adapters and db, config, base',
    finds: edge =>
      isProduct(edge) && areBothIn(edge, inServer) && !isAllowedServerImport(edge.from, edge.file),
  },
  {
    id: 'server-feature-entry',
    says: 'a server feature imports another one only through its index.ts',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inServer)) return false;
      const [from, to] = [serverPlace(edge.from), serverPlace(edge.file)];
      return (
        from.area === 'feature' && to.area === 'feature' && from.feature !== to.feature && to.role !== 'index'
      );
    },
  },
  {
    id: 'web-area',
    says: 'allowed order in the web client: routes, features, then session, crypto, platform, ui and lib',
    finds: edge =>
      isProduct(edge) &&
      areBothIn(edge, inWeb) &&
      !WEB_AREAS[webPlace(edge.from).area]?.includes(webPlace(edge.file).area),
  },
  {
    id: 'web-feature-import',
    says: 'a feature of the web client may import only the features in WEB_FEATURES',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inWeb)) return false;
      const [from, to] = [webPlace(edge.from), webPlace(edge.file)];
      const isOther = from.area === 'feature' && to.area === 'feature' && from.feature !== to.feature;
      return isOther && !WEB_FEATURES[from.feature]?.includes(to.feature);
    },
  },
  {
    id: 'web-layer',
    says: 'a layer of the web client may import only the layers in WEB_LAYERS',
    finds: edge => {
      if (!isProduct(edge) || !areBothIn(edge, inWeb)) return false;
      return Object.entries(WEB_LAYERS).some(([area, imports]) => {
        const [from, to] = [webLayer(area, edge.from), webLayer(area, edge.file)];
        if (from === undefined || to === undefined || from === to) return false;
        return !imports[from]?.includes(to);
      });
    },
  },
  {
    id: 'web-crypto-entry',
    says: 'the web client imports crypto only in src/crypto, so that no primitive runs on the main thread',
    finds: edge => {
      if (!inWeb(edge.from) || !isProduct(edge) || edge.isType || inWeb(edge.file ?? '')) return false;
      const isCrypto =
        edge.file?.startsWith('packages/crypto/') &&
        !/\/(params|errors|recovery-phrase)\.ts$/.test(edge.file);
      return Boolean(isCrypto) && webPlace(edge.from).area !== 'crypto';
    },
  },
];
