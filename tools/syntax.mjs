/** What a node of a syntax tree is called, whichever kind of node stands in that place. */

/** @typedef {{ type: string, name?: unknown, value?: unknown }} SyntaxNode */

/**
 * The name of an identifier; undefined for any other node.
 * @param {SyntaxNode} node
 */
export const nameOf = ({ name }) => (typeof name === 'string' ? name : undefined);

/**
 * The text of a literal; undefined for any other node.
 * @param {SyntaxNode} node
 */
export const literalOf = ({ value }) => (typeof value === 'string' ? value : undefined);
