/**
 * Renders the chart of deploy/helm for tests, without helm. Supports values, quote, if with a
 * value, and range over a map or a list; the templates may use nothing else. Anything else throws.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

type Tree = { readonly [name: string]: unknown };

const TAG = /\{\{(-?)\s*(.*?)\s*(-?)\}\}/g;

type Piece = { readonly text: string } | { readonly action: string };

/** Splits a template into text and actions, and trims whitespace where an action requests it. */
function cut(template: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let isTrimmed = false;
  for (const match of template.matchAll(TAG)) {
    const text = template.slice(at, match.index);
    const head = isTrimmed ? text.trimStart() : text;
    pieces.push({ text: match[1] === '-' ? head.trimEnd() : head }, { action: match[2] ?? '' });
    isTrimmed = match[3] === '-';
    at = match.index + match[0].length;
  }
  const rest = template.slice(at);
  return [...pieces, { text: isTrimmed ? rest.trimStart() : rest }];
}

function evaluate(expression: string, scope: Tree): unknown {
  const [name = '', filter, ...more] = expression.split('|').map(part => part.trim());
  if (more.length > 0 || (filter !== undefined && filter !== 'quote'))
    throw new Error(`The templates are to be plain: ${expression}`);
  if (!/^(\$\w+|\$?(\.\w+)+)$/.test(name)) throw new Error(`Not a value: ${name}`);
  const steps = name.replace(/^\./, '').split('.');
  const found = steps.reduce<unknown>((tree, step) => (tree as Tree | undefined)?.[step], scope);
  if (found === undefined) throw new Error(`There is no ${name}`);
  return filter === 'quote' ? JSON.stringify(String(found)) : found;
}

/** Returns the position of the end that matches the block start at this position. */
function endOf(pieces: readonly Piece[], from: number): number {
  let depth = 0;
  for (let at = from; at < pieces.length; at++) {
    const { action } = { action: '', ...pieces[at] };
    if (/^(if|range) /.test(action)) depth++;
    else if (action === 'end' && --depth === 0) return at;
  }
  throw new Error('The template has no end');
}

/** Renders pieces up to the end that matches the block start, and returns its position. */
function render(pieces: readonly Piece[], from: number, scope: Tree): { text: string; end: number } {
  let text = '';
  for (let at = from; at < pieces.length; at++) {
    const piece = pieces[at] as Piece;
    if ('text' in piece) {
      text += piece.text;
      continue;
    }
    const { action } = piece;
    if (action === 'end') return { text, end: at };
    const range = /^range \$(\w+), \$(\w+) := (\S+)$/.exec(action);
    if (range !== null) {
      const [, key = '', value = '', source = ''] = range;
      const outer = scope.$ === undefined ? { $: scope } : scope;
      // Inside the block, Helm's dot is the entry, so outer values are reachable only through $.
      const inside = Object.fromEntries(Object.entries(outer).filter(([name]) => name.startsWith('$')));
      for (const [name, one] of Object.entries(evaluate(source, scope) as Tree).sort())
        text += render(pieces, at + 1, { ...inside, [`$${key}`]: name, [`$${value}`]: one }).text;
      at = endOf(pieces, at);
    } else if (action.startsWith('if ')) {
      const inner = render(pieces, at + 1, scope);
      const value = evaluate(action.slice(3), scope);
      if (value !== '' && value !== false && value !== 0 && value !== null) text += inner.text;
      at = inner.end;
    } else text += String(evaluate(action, scope));
  }
  return { text, end: pieces.length };
}

/** A Kubernetes object. */
export type KubernetesObject = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [name: string]: unknown;
};

/**
 * Returns the objects that a chart renders with its default values, with some entries of their maps
 * replaced.
 */
export function renderChart(
  chart: string,
  release: string,
  changed: Readonly<Record<string, Tree>> = {},
): KubernetesObject[] {
  const values = parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as Tree;
  // Maps are merged, as helm does.
  const joined = Object.entries(changed).map(([name, one]) => [
    name,
    { ...(values[name] as Tree), ...(one as Tree) },
  ]);
  const scope = { Values: { ...values, ...Object.fromEntries(joined) }, Release: { Name: release } };
  const templates = path.join(chart, 'templates');
  return readdirSync(templates)
    .sort()
    .flatMap(name => {
      const pieces = cut(readFileSync(path.join(templates, name), 'utf8'));
      return parseAllDocuments(render(pieces, 0, scope).text).flatMap(document => {
        if (document.errors.length > 0) throw new Error(`${name}: ${document.errors[0]?.message}`);
        const found = document.toJS({ merge: true }) as KubernetesObject | null;
        return found === null ? [] : [found];
      });
    });
}
