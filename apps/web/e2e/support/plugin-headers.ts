// The methods that the native halves of the shell's plugins offer, read from their own sources. A
// call to a method that none of them has fails in a test as it would on a phone.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

type Method = { readonly name: string; readonly rtype?: 'promise' | 'callback' };
export type PluginHeader = { readonly name: string; readonly methods: readonly Method[] };

const { resolve } = createRequire(import.meta.url);

/** Returns the folder of an installed package. */
export const packageFolder = (name: string): string => path.dirname(resolve(`${name}/package.json`));

/** Methods of Capacitor's own base class. */
const inherited: readonly Method[] = [
  { name: 'addListener' },
  { name: 'removeListener', rtype: 'promise' },
  { name: 'removeAllListeners', rtype: 'promise' },
  { name: 'checkPermissions', rtype: 'promise' },
  { name: 'requestPermissions', rtype: 'promise' },
];

const pluginClass =
  /@CapacitorPlugin(?:\(([\s\S]*?)\))?\s*(?:(?:public|open|final)\s+)*class\s+(?<className>\w+)/;
const pluginMethod =
  /@PluginMethod(?:\((?<options>[^)]*)\))?\s+(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|override|open|final|synchronized)\s+)*(?:void|fun)\s+(?<method>\w+)/g;

function returnOf(options = ''): Pick<Method, 'rtype'> {
  if (options.includes('RETURN_NONE')) return {};
  return { rtype: options.includes('RETURN_CALLBACK') ? 'callback' : 'promise' };
}

function readSource(source: string): PluginHeader | null {
  const found = pluginClass.exec(source);
  if (found === null) return null;
  const name = /name\s*=\s*"(\w+)"/.exec(found[1] ?? '')?.[1] ?? found.groups?.className ?? '';
  const methods = [...source.matchAll(pluginMethod)].map(({ groups }) => ({
    name: groups?.method ?? '',
    ...returnOf(groups?.options),
  }));
  return { name, methods: [...inherited, ...methods] };
}

/** Returns the headers of these packages, as the shell would pass them to the page. */
export const readPluginHeaders = (packages: readonly string[]): PluginHeader[] =>
  packages.flatMap(name => {
    const folder = path.join(packageFolder(name), 'android/src/main');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => /\.(java|kt)$/.test(file))
      .map(file => readSource(readFileSync(path.join(folder, file), 'utf8')))
      .filter(header => header !== null);
  });
