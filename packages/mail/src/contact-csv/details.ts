// Converts the details in a table row, other than names and addresses, to vCard lines: phone
// numbers, postal addresses assembled from their columns, and every other column under its name.
import { customLines } from '../card-details.ts';
import { escaped, formatProperty } from '../card-property.ts';
import { VCARD_CARD_MAX_LINES, VCARD_LINE_MAX_CHARACTERS } from '../limits.ts';
import type { ColumnRole } from './columns.ts';

export type Column = {
  readonly header: string;
  /** Column name in the form that columns.ts compares. */
  readonly plain: string;
  readonly role: ColumnRole;
  /** Types that its name implies for the numbers and addresses in it. */
  readonly types: readonly string[];
};

const TYPES: readonly (readonly [string, RegExp])[] = [
  ['fax', /(^| )(tele)?fax|telecopie|факс|传真|ファックス/],
  ['cell', /(^| )(mobil|mobiel|handy|cell|portable|movil|celular|komorka|telemovel)|мобильн|手机|携帯/],
  [
    'home',
    /(^| )(home|privat|prive|domicile|personal|particular|casa|abitazione|thuis|hem|bostad|hjem|dom|residencial)|домашн|自宅|住宅|家庭/,
  ],
  [
    'work',
    /(^| )(business|work|geschaftlich|buro|bureau|professionnel|trabajo|ufficio|lavoro|werk|zakelijk|arbet|arbejd|arbeid|company|firm|sluzbow|comercial|trabalho|organisation)|рабоч|会社|勤務先|商务|单位/,
  ],
];

export const typeOf = (text: string): string[] =>
  TYPES.filter(([, words]) => words.test(text))
    .map(([type]) => type)
    .slice(0, 2);

/**
 * Returns the label from the column before a value: "Phone 1 - Label" precedes "Phone 1 - Value".
 */
function labelBefore(columns: readonly Column[], cells: readonly string[], index: number): string {
  const said = columns[index - 1];
  const isLabel = said?.role === 'none' && /(^| )(type|typ|label|tipo|etiqueta|libelle)$/.test(said.plain);
  return isLabel ? (cells[index - 1] ?? '').replace(/^\* ?/, '').trim() : '';
}

/** Known types become TYPE words; any other text becomes the label of the line. */
function kindOf(
  columns: readonly Column[],
  cells: readonly string[],
  index: number,
): { types: readonly string[]; label: string } {
  const label = labelBefore(columns, cells, index);
  const types = label === '' ? (columns[index]?.types ?? []) : typeOf(label.slice(0, 100).toLowerCase());
  return { types, label: types.length > 0 ? '' : label.slice(0, 100) };
}

const ADDRESS_PARTS = ['street', 'city', 'region', 'postcode', 'country'] as const;
const OF_ADDRESSES: ReadonlySet<ColumnRole> = new Set([...ADDRESS_PARTS, 'address']);

function addressesOf(columns: readonly Column[], cells: readonly string[]) {
  const found = new Map<string, { index: number; parts: Record<string, string[]> }>();
  for (const [index, { role, plain, types }] of columns.entries()) {
    const cell = (cells[index] ?? '').trim();
    if (cell === '' || !OF_ADDRESSES.has(role)) continue;
    const number =
      /(?:address|adresse|direccion|indirizzo|adres|endereco|adress) (\d+) /.exec(plain)?.[1] ?? '';
    const key = `${types.join()}|${number}`;
    const one = found.get(key) ?? { index, parts: {} };
    const part = one.parts[role];
    if (part === undefined) one.parts[role] = [cell];
    else part.push(cell);
    found.set(key, one);
  }
  return [...found.values()].map(({ index, parts }) => {
    const of = (role: string) => (parts[role] ?? []).join('\n');
    const hasParts = ADDRESS_PARTS.some(role => parts[role] !== undefined);
    return {
      index,
      parts: [
        '',
        '',
        of('street') || (hasParts ? '' : of('address')),
        of('city'),
        of('region'),
        of('postcode'),
        of('country'),
      ],
    };
  });
}

function birthdayOf(text: string): string {
  const iso = /^(\d{4})-(\d\d)-(\d\d)/.exec(text);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  // Outlook's value for an empty date.
  if (/^(?:0\/0\/00|00\.00\.0{2,4})$/.test(text)) return '';
  if (dotted !== null)
    return `${dotted[3]}${(dotted[2] ?? '').padStart(2, '0')}${(dotted[1] ?? '').padStart(2, '0')}`;
  return iso === null ? text : iso.slice(1, 4).join('');
}

/** Returns the vCard lines of a row, using the column roles; labels are separate lines. */
export function linesOfRow(columns: readonly Column[], cells: readonly string[]): string[] {
  const lines: string[] = [];
  let groups = 0;
  const add = (name: string, value: string, types: readonly string[] = [], label = ''): void => {
    if (value.replaceAll(';', '').trim() === '' || lines.length >= VCARD_CARD_MAX_LINES) return;
    const group = label === '' ? '' : `item${++groups}`;
    const params = types.length === 0 ? [] : [['TYPE', types.join(',')] as const];
    lines.push(formatProperty({ group, name, params, value }).slice(0, VCARD_LINE_MAX_CHARACTERS));
    if (label !== '')
      lines.push(formatProperty({ group, name: 'X-ABLABEL', params: [], value: escaped(label) }));
  };
  const filled = columns.flatMap((column, index) => {
    const cell = (cells[index] ?? '').trim();
    return cell === '' ? [] : [{ ...column, index, cell }];
  });
  const first = (role: ColumnRole) => filled.find(one => one.role === role)?.cell ?? '';
  const name = [first('family_name'), first('given_name'), first('middle_name')];
  if (name.some(part => part !== '')) add('N', [...name, '', ''].map(escaped).join(';'));
  const custom: [string, string][] = [];
  for (const { role, cell, header, index } of filled) {
    if (role === 'phone') {
      const { types, label } = kindOf(columns, cells, index);
      for (const number of cell.split(':::').slice(0, 10)) add('TEL', escaped(number.trim()), types, label);
    } else if (role === 'birthday') add('BDAY', escaped(birthdayOf(cell)));
    else if (role === 'company') add('ORG', escaped(cell));
    else if (role === 'title') add('TITLE', escaped(cell));
    else if (role === 'nickname') add('NICKNAME', escaped(cell));
    else if (role === 'site')
      for (const site of cell.split(':::').slice(0, 10)) add('URL', escaped(site.trim()));
    else if (role === 'custom' && custom.length < VCARD_CARD_MAX_LINES / 2)
      custom.push([(labelBefore(columns, cells, index) || header).slice(0, 100), cell]);
  }
  for (const { index, parts } of addressesOf(columns, cells)) {
    const { types, label } = kindOf(columns, cells, index);
    add('ADR', parts.map(escaped).join(';'), types, label);
  }
  return [...lines, ...customLines(custom)];
}
