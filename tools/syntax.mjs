/** Helpers that read names and literals from syntax tree nodes of any type. */

/** @typedef {{ type: string, name?: unknown, value?: unknown }} SyntaxNode */

/**
 * Returns the name of an identifier; undefined for any other node.
 * @param {SyntaxNode} node
 */
export const nameOf = ({ name }) => (typeof name === 'string' ? name : undefined);

/**
 * Returns the text of a literal; undefined for any other node.
 * @param {SyntaxNode} node
 */
export const literalOf = ({ value }) => (typeof value === 'string' ? value : undefined);
