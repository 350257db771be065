/**
 * Finds the differences between two OpenAPI documents that break a client written for the first: a
 * removed endpoint or response field, or input that is no longer accepted. Accepting or returning
 * more breaks no client.
 */

/** Input limits that may only be relaxed, with the direction in which they become stricter. */
const UPPER_LIMITS = ['maxLength', 'maximum', 'maxItems', 'maxProperties', 'exclusiveMaximum'];
const LOWER_LIMITS = ['minLength', 'minimum', 'minItems', 'minProperties', 'exclusiveMinimum'];

const alternativesOf = schema => schema.anyOf ?? schema.oneOf ?? [schema];
const typesOf = ({ type }) => (type === undefined ? null : [type].flat());
const valuesOf = schema => ('const' in schema ? [schema.const] : (schema.enum ?? null));
const lost = (from, to) => from.filter(one => !to.includes(one));

/** Compares types and fixed values: the sender must stay within what the receiver accepts. */
function compareValues(given, taken, at) {
  const [types, allowedTypes] = [typesOf(given), typesOf(taken)];
  // An integer is a number.
  const accepts = allowedTypes?.includes('number') ? [...allowedTypes, 'integer'] : allowedTypes;
  if (accepts && (!types || lost(types, accepts).length > 0)) return [`${at} has a different type`];
  const [values, allowed] = [valuesOf(given), valuesOf(taken)];
  if (allowed && !values) return [`${at} is no longer restricted to fixed values`];
  return allowed ? lost(values, allowed).map(value => `${at}: ${JSON.stringify(value)} is a new value`) : [];
}

function compareLimits(before, after, at) {
  const narrower = [
    ...UPPER_LIMITS.filter(name => after[name] !== undefined && !(before[name] <= after[name])),
    ...LOWER_LIMITS.filter(name => after[name] !== undefined && !(before[name] >= after[name])),
    ...['pattern', 'format'].filter(name => after[name] !== undefined && before[name] !== after[name]),
  ];
  return narrower.map(name => `${at}: ${name} is stricter`);
}

function compareFields(before, after, at, isInput) {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const problems = [];
  for (const [name, schema] of Object.entries(old)) {
    if (now[name] === undefined) problems.push(`${at}.${name} was removed`);
    else problems.push(...compareSchemas(schema, now[name], `${at}.${name}`, isInput));
  }
  const [required, requiredNow] = [before.required ?? [], after.required ?? []];
  for (const name of isInput ? lost(requiredNow, required) : lost(required, requiredNow))
    if (isInput || now[name] !== undefined)
      problems.push(`${at}.${name} is ${isInput ? 'now required' : 'no longer always present'}`);
  return problems;
}

function compareOne(before, after, at, isInput) {
  const problems = isInput ? compareValues(before, after, at) : compareValues(after, before, at);
  if (problems.length > 0) return problems;
  if (isInput) problems.push(...compareLimits(before, after, at));
  problems.push(...compareFields(before, after, at, isInput));
  for (const part of ['items', 'additionalProperties'])
    if (typeof before[part] === 'object' && typeof after[part] === 'object')
      problems.push(...compareSchemas(before[part], after[part], `${at}[]`, isInput));
  return problems;
}

/**
 * Returns what the second schema breaks for clients of the first, one sentence each; empty if they
 * are the same.
 */
export function compareSchemas(before, after, at, isInput) {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  if (old.length === 1 && now.length === 1) return compareOne(before, after, at, isInput);
  // Each alternative that one side may send must be accepted by the other side.
  const [sent, taken] = isInput ? [old, now] : [now, old];
  const fits = one =>
    taken.some(other =>
      isInput
        ? compareOne(one, other, at, isInput).length === 0
        : compareOne(other, one, at, isInput).length === 0,
    );
  return sent.every(fits) ? [] : [`${at} has a different schema`];
}

const schemasOf = content => Object.entries(content ?? {}).map(([type, { schema = {} }]) => [type, schema]);

function compareContent(before, after, at, isInput) {
  const now = Object.fromEntries(schemasOf(after));
  return schemasOf(before).flatMap(([type, schema]) =>
    now[type] === undefined ? [`${at} is no longer ${type}`] : compareSchemas(schema, now[type], at, isInput),
  );
}

function compareParameters(before, after, id) {
  const problems = [];
  for (const parameter of after) {
    const old = before.find(({ name, in: place }) => name === parameter.name && place === parameter.in);
    if (parameter.required && !old?.required) problems.push(`${id}: ${parameter.name} is now required`);
    if (old) problems.push(...compareSchemas(old.schema, parameter.schema, `${id}: ${parameter.name}`, true));
  }
  for (const { name } of before)
    if (!after.some(one => one.name === name)) problems.push(`${id}: ${name} was removed`);
  return problems;
}

/** Returns the operations of a document by method and path. */
function operationsOf({ paths }) {
  const found = new Map();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      found.set(`${method.toUpperCase()} ${path}`, operation);
  return found;
}

/**
 * Returns everything in the second document that breaks clients of the first, one sentence each.
 */
export function findBreakingChanges(before, after) {
  const now = operationsOf(after);
  return [...operationsOf(before)].flatMap(([id, operation]) => {
    const next = now.get(id);
    if (next === undefined) return [`${id} was removed`];
    const access = operation['x-access'] === next['x-access'] ? [] : [`${id} has a different access level`];
    return [
      ...access,
      ...compareParameters(operation.parameters ?? [], next.parameters ?? [], id),
      ...compareContent(operation.requestBody?.content, next.requestBody?.content, `${id}: input`, true),
      ...compareContent(
        operation.responses['200']?.content,
        next.responses['200']?.content,
        `${id}: answer`,
        false,
      ),
    ];
  });
}
