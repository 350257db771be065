// What is used of papaparse. The published types need those of Node, which this room must not see.
declare module 'papaparse' {
  interface ParseError {
    readonly type: string;
    readonly code: string;
    /** Counted from 0. */
    readonly row?: number;
  }
  const papa: {
    parse(
      text: string,
      options: { delimiter: string; preview?: number; skipEmptyLines?: boolean | 'greedy' },
    ): { data: string[][]; errors: ParseError[] };
    unparse(
      rows: readonly (readonly string[])[],
      options: { escapeFormulae?: boolean | RegExp; newline?: string },
    ): string;
  };
  // biome-ignore lint/style/noDefaultExport: this is how the library exports itself.
  export default papa;
}
