// Writes the contacts of a PST as vCards (RFC 6350), and its distribution lists as cards of their
// members, grouped under the list's name.

import { isValidAddress } from '@keyfold/mail/addresses';
import { escapeText, formatLine, formatTextLine } from '@keyfold/mail/ics/write';
import { viewOf } from '../bytes.ts';
import { subjectOf } from '../mapi/item.ts';
import { findMailbox } from '../mapi/people.ts';
import { FAMILIES, TAGS } from '../mapi/tags.ts';
import type { PstItem } from './item.ts';

/**
 * Addresses of a contact: the address itself and its display form, which is the better one for
 * Exchange.
 */
const EMAIL_LIDS = [
  [0x8083, 0x8084],
  [0x8093, 0x8094],
  [0x80a3, 0x80a4],
] as const;

const PHONES = [
  [0x3a08, 'work,voice'],
  [0x3a1b, 'work,voice'],
  [0x3a09, 'home,voice'],
  [0x3a2f, 'home,voice'],
  [0x3a1c, 'cell'],
  [0x3a1f, 'voice'],
  [0x3a24, 'work,fax'],
  [0x3a25, 'home,fax'],
] as const;

/**
 * Street, city, region, postal code and country; the work address uses numbers that the file
 * assigns.
 */
const PLACES = [
  { type: 'work', isNamed: true, ids: [0x8045, 0x8046, 0x8047, 0x8048, 0x8049] },
  { type: 'home', isNamed: false, ids: [0x3a5d, 0x3a59, 0x3a5c, 0x3a5b, 0x3a5a] },
  { type: '', isNamed: false, ids: [0x3a63, 0x3a5f, 0x3a62, 0x3a61, 0x3a60] },
] as const;

const IDS = {
  given: 0x3a06,
  surname: 0x3a11,
  middle: 0x3a44,
  prefix: 0x3a45,
  suffix: 0x3a05,
  nickname: 0x3a4f,
  company: 0x3a16,
  department: 0x3a18,
  title: 0x3a17,
  birthday: 0x3a42,
  workPage: 0x3a51,
  ownPage: 0x3a50,
} as const;

const ONE_OFF_MEMBERS = 0x8054;
const MEMBERS_MAX = 5_000;

const structured = (name: string, parts: readonly string[], type = ''): string =>
  parts.some(part => part.trim() !== '')
    ? formatLine(name, parts.map(part => escapeText(part.trim())).join(';'), { TYPE: type })
    : '';

const card = (lines: readonly string[]): string =>
  ['BEGIN:VCARD\r\n', 'VERSION:4.0\r\n', ...lines, 'END:VCARD\r\n'].join('');

/** Returns the card of a contact. */
export async function writeCard(item: PstItem): Promise<string> {
  const bag = item.properties;
  const text = (id: number): Promise<string> => bag.text(id);
  const named = (lid: number): number => item.idOf(FAMILIES.address, lid);
  const emails: string[] = [];
  for (const lids of EMAIL_LIDS) {
    const texts = await Promise.all(lids.map(lid => text(named(lid))));
    const found = texts.map(one => one.trim()).find(isValidAddress);
    if (found !== undefined && !emails.includes(found)) emails.push(found);
  }
  const names = await Promise.all(
    [IDS.surname, IDS.given, IDS.middle, IDS.prefix, IDS.suffix].map(id => text(id)),
  );
  const company = await text(IDS.company);
  const shown = (await text(TAGS.displayName)).trim() || [names[1], names[0]].join(' ').trim();
  const lines = [
    formatTextLine('FN', shown || company || emails[0] || (await subjectOf(item)) || '?'),
    structured('N', names),
    formatTextLine('NICKNAME', await text(IDS.nickname)),
    structured('ORG', [company, await text(IDS.department)]),
    formatTextLine('TITLE', await text(IDS.title)),
    ...emails.map((email, index) => formatLine('EMAIL', email, { PREF: index === 0 ? '1' : null })),
  ];
  for (const [id, type] of PHONES) {
    const phone = (await text(id)).trim();
    if (phone !== '') lines.push(formatLine('TEL', escapeText(phone), { TYPE: type }));
  }
  for (const { type, isNamed, ids } of PLACES) {
    const parts = await Promise.all(ids.map(id => text(isNamed ? named(id) : id)));
    lines.push(parts.some(part => part.trim() !== '') ? structured('ADR', ['', '', ...parts], type) : '');
  }
  for (const id of [IDS.workPage, IDS.ownPage]) {
    const page = (await text(id)).trim();
    if (/^https?:\/\/[\u0021-\u007e]+$/i.test(page)) lines.push(formatLine('URL', page));
  }
  const birthday = await bag.date(IDS.birthday);
  if (birthday !== null)
    lines.push(formatLine('BDAY', birthday.toISOString().slice(0, 10).replaceAll('-', '')));
  const groups = await bag.texts(item.idOf(FAMILIES.publicStrings, 'Keywords'));
  if (groups.length > 0) lines.push(formatLine('CATEGORIES', groups.slice(0, 50).map(escapeText).join(',')));
  lines.push(formatTextLine('NOTE', await text(TAGS.body)));
  return card(lines);
}

const utf16 = new TextDecoder('utf-16le');

/**
 * Returns the name and address of a member stored inline ([MS-OXCDATA] 2.2.5.1); null for other
 * kinds of entries.
 */
function findMember(entry: Uint8Array): { name: string; address: string } | null {
  if (entry.length < 24) return null;
  const isUnicode = (viewOf(entry).getUint16(22, true) & 0x8000) !== 0;
  const rest = entry.subarray(24);
  const all = isUnicode
    ? utf16.decode(rest.subarray(0, rest.length - (rest.length % 2)))
    : String.fromCharCode(...rest.subarray(0, 2_000));
  const [name = '', , address = ''] = all.split('\0');
  const mailbox = findMailbox(name, [address]);
  return mailbox !== null && isValidAddress(mailbox.address) && !mailbox.address.endsWith('.invalid')
    ? mailbox
    : null;
}

/**
 * Returns a card for each member of a distribution list; none when its members are stored
 * elsewhere.
 */
export async function writeListCards(item: PstItem): Promise<string[]> {
  const bag = item.properties;
  const list = (await bag.text(TAGS.displayName)) || (await subjectOf(item));
  const entries = await bag.manyBytes(item.idOf(FAMILIES.address, ONE_OFF_MEMBERS));
  return entries.slice(0, MEMBERS_MAX).flatMap(entry => {
    const member = findMember(entry);
    if (member === null) return [];
    const lines = [
      formatTextLine('FN', member.name || member.address),
      formatLine('EMAIL', member.address),
      list.trim() === '' ? '' : formatLine('CATEGORIES', escapeText(list.trim())),
    ];
    return [card(lines)];
  });
}
