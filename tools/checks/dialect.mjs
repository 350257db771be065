/**
 * Enforces the TypeScript dialect of the project (STYLE.md, "Dialect"): functions with a body are
 * function declarations, object types are `type`, constant numbers are in capitals, identifiers use
 * American spelling.
 */
import { parseSync, Visitor } from 'oxc-parser';
import { isSourceFile, listProjectFiles, readProjectFile } from '../source-files.mjs';
import { nameOf } from '../syntax.mjs';

const lineAt = (source, offset) => source.slice(0, offset).split('\n').length;

/**
 * British stems and their replacements; `catalogue` and `dialogue` have an American spelling as
 * well.
 * @type {[RegExp, string][]}
 */
export const BRITISH = [
  [/organis(?=[aei])/i, 'organiz'],
  [
    /(?:normal|recogn|initial|serial|sanit|minim|maxim|summar|author|synchron|optim|custom|categor|final|local|neutral)is(?=e|ing|ation)/i,
    '…iz',
  ],
  [/colour/i, 'color'],
  [/behaviour/i, 'behavior'],
  [/neighbour/i, 'neighbor'],
  [/favour/i, 'favor'],
  [/centre(?!d)/i, 'center'],
  [/licence/i, 'license'],
  [/catalogue/i, 'catalog'],
  [/defence/i, 'defense'],
  [/labelled/i, 'labeled'],
  [/cancelled|cancelling/i, 'canceled'],
];

/** Returns the American spelling of the British part of a name, or null if there is none. */
function findBritish(name) {
  const found = BRITISH.find(([pattern]) => pattern.test(name));
  return found === undefined ? null : found[1];
}

const SCREAMING = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/**
 * Reports whether an expression is a written-out number or a list of such: literals, and arithmetic
 * on them or on constants.
 */
function isNumber(node) {
  if (node.type === 'Literal') return typeof node.value === 'number' || typeof node.value === 'bigint';
  if (node.type === 'UnaryExpression') return node.operator === '-' && isNumber(node.argument);
  if (node.type === 'TSAsExpression') return isNumber(node.expression);
  if (node.type === 'ArrayExpression')
    return node.elements.length > 0 && node.elements.every(one => one !== null && isNumber(one));
  if (node.type === 'BinaryExpression')
    return [node.left, node.right].every(side => isNumber(side) || isCapital(side));
  return false;
}
const isCapital = node => node.type === 'Identifier' && SCREAMING.test(node.name);

/** Reports the problems of one declaration at module level. */
function judgeConstant(declarator, tell) {
  const { id, init } = declarator;
  if (id.type !== 'Identifier' || !init) return;
  if (init.type === 'ArrowFunctionExpression' && init.body.type === 'BlockStatement' && !id.typeAnnotation)
    tell(id, `${id.name} has a body: use a function declaration`);
  if (isNumber(init) && !SCREAMING.test(id.name))
    tell(id, `${id.name} is a constant number: use SCREAMING_CASE`);
}

/** Returns every problem of one file, with its line. */
export function findDialectProblems(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const problems = [];
  const tell = (node, what) => problems.push(`${file}:${lineAt(source, node.start)}: ${what}`);
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type === 'VariableDeclaration' && declared.kind === 'const')
      for (const declarator of declared.declarations) judgeConstant(declarator, tell);
    if (declared?.type === 'TSInterfaceDeclaration')
      tell(declared, `${declared.id.name} is an interface: use a type`);
  }
  const judgeName = node => {
    const name = nameOf(node);
    const spelled = name === undefined ? null : findBritish(name);
    if (spelled !== null) tell(node, `${name}: use American spelling (${spelled})`);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => judgeName(id),
    FunctionDeclaration: ({ id }) => id && judgeName(id),
    TSTypeAliasDeclaration: ({ id }) => judgeName(id),
    Property: ({ key, computed }) => !computed && judgeName(key),
    TSPropertySignature: ({ key, computed }) => !computed && judgeName(key),
  }).visit(program);
  return problems;
}

/** Returns the problems of every source file. */
export function checkDialect() {
  return listProjectFiles()
    .filter(isSourceFile)
    .flatMap(file => findDialectProblems(file, readProjectFile(file)));
}
