// Presents the kept lines of a vCard to the user (phone numbers, postal addresses, a birthday,
// other details) and applies changes to them. Unchanged lines stay as written.
import {
  type CardProperty,
  escaped,
  formatProperty,
  partsOf,
  readProperty,
  typesOf,
} from './card-property.ts';
import { VCARD_LINE_MAX_CHARACTERS } from './limits.ts';

export const DETAIL_KINDS = [
  'phone',
  'address',
  'birthday',
  'company',
  'title',
  'site',
  'picture',
  'other',
] as const;
export type DetailKind = (typeof DETAIL_KINDS)[number];

export type CardDetail = {
  /** Index of the line. */
  readonly at: number;
  readonly kind: DetailKind;
  /** Label in the card: `work`, `cell`, or a custom one. */
  readonly label: string;
  /** Displayed text; an address has its parts on separate lines. */
  readonly text: string;
};

const KINDS: Readonly<Record<string, DetailKind>> = {
  TEL: 'phone',
  ADR: 'address',
  BDAY: 'birthday',
  ORG: 'company',
  TITLE: 'title',
  URL: 'site',
  PHOTO: 'picture',
};

/** Lines that mean nothing to users, or that repeat other lines. */
const SILENT = new Set([
  'N',
  'EMAIL',
  'PRODID',
  'REV',
  'UID',
  'X-ABLABEL',
  'X-ABADR',
  'X-ABUID',
  'CLIENTPIDMAP',
  'SORT-STRING',
  'CLASS',
  'MAILER',
  'KIND',
  'SOURCE',
  'PROFILE',
  'X-ABSHOWAS',
]);

const readLine = (line: string): CardProperty | null => readProperty(line, { isOld: false, isBytes: false });

const plainValue = ({ value }: CardProperty): string => [...partsOf(value)].join('').trim();

const WORDLESS = new Set(['voice', 'internet', 'pref', 'x-internet']);

/** Returns a birthday as a date that the UI can format (`1990-05-01`); other texts unchanged. */
function dayOf(value: string): string {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)(?:T.*)?$/.exec(value.trim());
  return found === null ? value.trim() : found.slice(1, 4).join('-');
}

function textOf(kind: DetailKind, property: CardProperty): string {
  switch (kind) {
    case 'address':
      return [...partsOf(property.value, ';')]
        .map(part => part.trim())
        .filter(part => part !== '')
        .join('\n');
    case 'company':
      return [...partsOf(property.value, ';')]
        .map(part => part.trim())
        .filter(part => part !== '')
        .join(', ');
    case 'birthday':
      return dayOf(plainValue(property));
    case 'phone':
      return plainValue(property).replace(/^tel:/i, '');
    case 'picture':
      return property.value.replaceAll('\\', '');
    default:
      return /^(?:N|ADR|ORG|GENDER)$/.test(property.name)
        ? [...partsOf(property.value, ';')].filter(part => part !== '').join(', ')
        : plainValue(property);
  }
}

/** Labels that Apple writes on separate lines, by group. */
const labelsOf = (properties: readonly (CardProperty | null)[]): ReadonlyMap<string, string> =>
  new Map(
    properties.flatMap(one =>
      one?.name === 'X-ABLABEL' && one.group !== ''
        ? [[one.group.toLowerCase(), plainValue(one).replace(/^_\$!<(.*)>!\$_$/, '$1')] as const]
        : [],
    ),
  );

/** Returns the details in the lines, in order; a picture by its address. */
export function detailsOf(lines: readonly string[]): CardDetail[] {
  const properties = lines.map(readLine);
  const labels = labelsOf(properties);
  return properties.flatMap((property, at): CardDetail[] => {
    if (property === null || SILENT.has(property.name)) return [];
    const kind = KINDS[property.name] ?? 'other';
    const text = textOf(kind, property);
    if (text === '') return [];
    const said = labels.get(property.group.toLowerCase());
    const types = typesOf(property)
      .filter(word => !WORDLESS.has(word))
      .join(', ');
    const named = kind === 'other' ? property.name.replace(/^X-/, '').toLowerCase().replaceAll('-', ' ') : '';
    return [{ at, kind, label: said || types || named, text }];
  });
}

/**
 * Returns the parts of an address line: street (with its additions), city, region, postal code and
 * country.
 */
export function addressPartsOf(line: string): readonly string[] {
  const parts = [...partsOf(readLine(line)?.value ?? '', ';')].map(part => part.trim());
  const street = [parts[2], parts[1], parts[0]].filter(part => part !== undefined && part !== '').join('\n');
  return [street, ...[3, 4, 5, 6].map(index => parts[index] ?? '')];
}

/** The kinds that users can change and add, with the property of each. */
const PROPERTY_OF = {
  phone: 'TEL',
  address: 'ADR',
  birthday: 'BDAY',
  company: 'ORG',
  title: 'TITLE',
  site: 'URL',
} as const;
export type EditableKind = keyof typeof PROPERTY_OF;
export const isEditable = (kind: DetailKind): kind is EditableKind => Object.hasOwn(PROPERTY_OF, kind);

/**
 * Returns the parts of an address after its lines were edited: each line goes to its previous part
 * if there are as many lines as filled parts.
 */
function addressValue(before: string | null, text: string): string {
  const written = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  const parts = before === null ? [] : [...partsOf(before, ';')];
  const filled = parts.flatMap((part, index) => (part.trim() === '' ? [] : [index]));
  if (filled.length === written.length)
    for (const [place, index] of filled.entries()) parts[index] = written[place] ?? '';
  else return ['', '', written.join('\n'), '', '', '', ''].map(escaped).join(';');
  return parts.map(escaped).join(';');
}

function writtenValue(kind: EditableKind, before: CardProperty | null, text: string): string {
  switch (kind) {
    case 'address':
      return addressValue(before?.value ?? null, text);
    case 'company': {
      // Departments stay when only the name changed.
      const [, ...rest] = partsOf(before?.value ?? '', ';');
      const said = rest.filter(part => part.trim() !== '').map(part => part.trim());
      const tail = said.length === 0 ? '' : `, ${said.join(', ')}`;
      return tail !== '' && text.endsWith(tail)
        ? [text.slice(0, -tail.length), ...said].map(escaped).join(';')
        : escaped(text);
    }
    case 'birthday':
      return escaped(text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$1$2$3'));
    default:
      return escaped(text);
  }
}

/** Returns a new line of a kind. */
export const detailLine = (kind: EditableKind, text: string): string =>
  formatProperty({
    group: '',
    name: PROPERTY_OF[kind],
    params: [],
    value: writtenValue(kind, null, text),
  }).slice(0, VCARD_LINE_MAX_CHARACTERS);

/** Returns new lines and leaves out empty ones. */
export const addedLines = (
  added: readonly { readonly kind: EditableKind; readonly text: string }[],
): string[] => added.flatMap(({ kind, text }) => (text.trim() === '' ? [] : [detailLine(kind, text.trim())]));

/**
 * Applies changes by line index: a new text, or an empty one to remove the line together with its
 * label.
 */
export function withDetails(lines: readonly string[], changes: ReadonlyMap<number, string>): string[] {
  const properties = lines.map(readLine);
  const before = new Map(detailsOf(lines).map(detail => [detail.at, detail] as const));
  const gone = new Set<string>();
  const changed = lines.map((line, at): string | null => {
    const [detail, property, text] = [before.get(at), properties[at], changes.get(at)?.trim()];
    if (detail === undefined || property == null || text === undefined || text === detail.text) return line;
    if (text === '') {
      if (property.group !== '') gone.add(property.group);
      return null;
    }
    if (!isEditable(detail.kind)) return line;
    // An explicit value type (VALUE=uri) describes the old value.
    const params = property.params.filter(([key]) => key !== 'VALUE');
    return formatProperty({ ...property, params, value: writtenValue(detail.kind, property, text) });
  });
  const left = new Set(
    changed.flatMap((line, at) => {
      const property = properties[at];
      return line === null || property == null || property.name === 'X-ABLABEL' ? [] : [property.group];
    }),
  );
  return changed.filter((line, at): line is string => {
    const property = properties[at];
    const isLabel = property?.name === 'X-ABLABEL' && gone.has(property.group) && !left.has(property.group);
    return line !== null && !isLabel;
  });
}

/** Returns lines for table columns that have no property: each under the name of its column. */
export const customLines = (fields: readonly (readonly [name: string, text: string])[]): string[] =>
  fields.flatMap(([name, text], index) => [
    formatProperty({ group: `field${index + 1}`, name: 'X-FIELD', params: [], value: escaped(text) }),
    formatProperty({ group: `field${index + 1}`, name: 'X-ABLABEL', params: [], value: escaped(name) }),
  ]);

/** Returns the address of a picture, if the card has one that can be shown. */
export const findPicture = (lines: readonly string[]): string | null =>
  detailsOf(lines.filter(line => /^(?:[\w-]+\.)?PHOTO[;:]/i.test(line))).find(({ text }) =>
    /^data:image\/(?:jpeg|png|gif|webp);base64,[A-Za-z0-9+/=]+$/i.test(text),
  )?.text ?? null;
