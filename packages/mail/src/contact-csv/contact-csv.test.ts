// CSV files as Google, Outlook, Yahoo, Thunderbird, Proton and others write them, files in other
// formats, and CSV output.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { detailsOf } from '../card-details.ts';
import {
  CONTACT_CSV_CELL_MAX_CHARACTERS,
  CONTACT_CSV_MAX_BYTES,
  CONTACT_CSV_MAX_ROWS,
  CONTACT_FILE_GROUPS_MAX,
} from '../limits.ts';
import { runInSlices } from '../slices.ts';
import { guessRoles } from './columns.ts';
import { peopleOf, peopleSteps } from './people.ts';
import { ContactCsvError, contactTableSteps, readContactTable, readContactText } from './table.ts';
import { writeContactCsv } from './write.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
function readWhole(file: string | Uint8Array) {
  const table = readContactTable(readContactText(typeof file === 'string' ? utf8(file) : file));
  return peopleOf(table, guessRoles(table));
}
/** Omits details other than names, addresses, notes and groups. */
function read(file: string | Uint8Array) {
  const { people, ...rest } = readWhole(file);
  return { ...rest, people: people.map(({ lines: _, ...one }) => one) };
}
function faultOf(file: string | Uint8Array) {
  try {
    read(file);
  } catch (error) {
    return error instanceof ContactCsvError ? error.fault : error;
  }
  return null;
}
const bytesOf = (text: string, unit: (code: number) => number[]) =>
  Uint8Array.from([...text].flatMap(character => unit(character.charCodeAt(0))));
const person = (name: string, ...emails: string[]) => ({ name, emails, note: '', groups: [] });

test('reads several addresses, labels and notes of Google Contacts, in its current and old format', () => {
  const now =
    'First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Nickname,File As,Organization Name,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Value\r\n' +
    'Ada,King,Lovelace,,Dr.,,,Engines,,"Met in\nLondon",https://x.test/p,Friends ::: * myContacts,* Home,Ada@One.test ::: ada@two.test,Work,ada@three.test,+44 1\r\n';
  expect(read(now).people).toEqual([
    {
      name: 'Ada King Lovelace',
      emails: ['ada@one.test', 'ada@two.test', 'ada@three.test'],
      note: 'Met in\nLondon',
      groups: ['Friends'],
    },
  ]);
  const before =
    'Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value\n' +
    'Grace B. Hopper,Grace,B.,Hopper,* My Contacts ::: * Family,*,grace@navy.test\n';
  expect(read(before).people).toEqual([
    { ...person('Grace B. Hopper', 'grace@navy.test'), groups: ['Family'] },
  ]);
});

test.each([
  [
    'English, new and classic',
    'First Name,Middle Name,Last Name,Company,E-mail Address,E-mail Type,E-mail Display Name,E-mail 2 Address,Notes,Categories',
  ],
  [
    'German',
    'Vorname;Weitere Vornamen;Nachname;Firma;E-Mail-Adresse;E-Mail-Typ;E-Mail: Angezeigter Name;E-Mail 2: Adresse;Notizen;Kategorien',
  ],
  [
    'French',
    'Prénom;Deuxième prénom;Nom;Société;Adresse de messagerie;Type de messagerie;Nom complet de l’adresse de messagerie;Adresse de messagerie 2;Notes;Catégories',
  ],
  [
    'Spanish',
    'Nombre;Segundo nombre;Apellidos;Organización;Dirección de correo electrónico;Tipo de correo electrónico;Nombre para mostrar del correo electrónico;Dirección del correo electrónico 2;Notas;Categorías',
  ],
])('reads Outlook in %s, in Windows-1252', (_, head) => {
  const separator = head.includes(';') ? ';' : ',';
  const row = [
    'Zoë',
    '',
    'Müller',
    'Straße AG',
    'z@x.test',
    'SMTP',
    'Zoë Müller (z@x.test)',
    '/o=ExchangeLabs/cn=z',
    'é',
  ];
  const file = `"${head.replace(/[;,]/g, `"${separator}"`)}"\r\n${[...row, '"Club;Work"'].join(separator)}\r\n`;
  const bytes = bytesOf(file, code => [code === 0x2019 ? 0x92 : code]);
  expect(read(bytes)).toEqual({
    people: [{ name: 'Zoë Müller', emails: ['z@x.test'], note: 'é', groups: ['Club', 'Work'] }],
    without: [],
    isCut: false,
  });
});

test.each([
  ['Yahoo', 'First,Middle,Last,Nickname,Email,Category,Comments\nAda,,Lovelace,,ada@x.test,,\n'],
  ['Yahoo now', 'First name,Last name,Company,Email,Alternate Email 1,Notes\nAda,Lovelace,,ada@x.test,,\n'],
  [
    'Thunderbird',
    'First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Notes\nA.,L.,Ada Lovelace,,ada@x.test,,,\n',
  ],
  [
    'Thunderbird in German, by tabs',
    'Vorname\tNachname\tAnzeigename\tSpitzname\tPrimäre E-Mail-Adresse\tSekundäre E-Mail-Adresse\nA.\tL.\tAda Lovelace\t\tada@x.test\t\n',
  ],
  [
    'Thunderbird in French',
    'Prénom,Nom de famille,Nom à afficher,Surnom,Première adresse électronique\nA.,L.,Ada Lovelace,,ada@x.test\n',
  ],
  ['Proton', 'Name,Email,Note\nAda Lovelace,ada@x.test,\n'],
  ['Apple, by way of a table', 'Display Name,E-mail Address\nAda Lovelace,ada@x.test\n'],
  ['a list with half a name', 'Name;Vorname;E-Mail\nLovelace;Ada;ada@x.test\n'],
  ['a list without names of columns', 'Ada Lovelace;ada@x.test\n'],
  ['what Excel writes first', 'sep=;\r\nNombre;Correo electrónico\r\nAda Lovelace;ada@x.test\r\n'],
  ['columns with odd names', 'Wer,Wohin\nAda Lovelace,ada@x.test\n'],
  ['Arabic', 'الاسم الكامل,البريد الإلكتروني\nAda Lovelace,ada@x.test\n'],
])('reads contacts from %s', (source, file) => {
  const { people, without } = read(file);
  expect(without).toEqual([]);
  // Nothing says which of the unnamed columns is the name: the user chooses during the import.
  const isNameKnown = !/odd|without/.test(source);
  expect(people).toEqual([person(isNameKnown ? 'Ada Lovelace' : '', 'ada@x.test')]);
});

test.each([
  [
    'English',
    'First Name,Middle Name,Last Name,Company,Job Title,Business Street,Business City,Business State,Business Postal Code,Business Country/Region,Home Street,Home City,Business Phone,Home Phone,Mobile Phone,Business Fax,Birthday,E-mail Address,Web Page,Notes,Spouse',
  ],
  [
    'German',
    'Vorname,Weitere Vornamen,Nachname,Firma,Position,Straße geschäftlich,Ort geschäftlich,Region geschäftlich,Postleitzahl geschäftlich,Land/Region geschäftlich,Straße privat,Ort privat,Telefon geschäftlich,Telefon (privat),Mobiltelefon,Fax geschäftlich,Geburtstag,E-Mail-Adresse,Webseite,Notizen,Partner/Partnerin',
  ],
  [
    'French',
    'Prénom,Deuxième prénom,Nom,Société,Fonction,Rue (bureau),Ville (bureau),Département (bureau),Code postal (bureau),Pays/Région (bureau),Rue (domicile),Ville (domicile),Téléphone (bureau),Téléphone (domicile),Téléphone mobile,Télécopie (bureau),Anniversaire,Adresse de messagerie,Page Web,Notes,Conjoint(e)',
  ],
  [
    'Italian',
    'Nome,Secondo nome,Cognome,Società,Qualifica,Via (uff.) lavoro,Città (uff.) lavoro,Provincia lavoro,CAP lavoro,Paese lavoro,Via abitazione,Città abitazione,Telefono lavoro,Telefono abitazione,Cellulare,Fax lavoro,Compleanno,Indirizzo posta elettronica,Pagina Web,Notas,Coniuge',
  ],
  [
    'Dutch',
    'Voornaam,Middelste naam,Achternaam,Bedrijf,Functie,Werkadres straat zakelijk,Plaats zakelijk,Provincie zakelijk,Postcode zakelijk,Land zakelijk,Straat thuis,Plaats thuis,Telefoon zakelijk,Telefoon thuis,Mobiele telefoon mobiel,Fax zakelijk,Verjaardag,E-mailadres,Webpagina,Notities,Partner',
  ],
  [
    'Polish',
    'Imię,Drugie imię,Nazwisko,Firma,Stanowisko,Ulica służbowa,Miasto służbowe,Województwo służbowe,Kod pocztowy służbowy,Kraj służbowy,Ulica domowa,Miasto dom,Telefon służbowy,Telefon domowy,Telefon komórka,Fax służbowy,Urodziny,Adres e-mail,Strona,Notatki,Małżonek',
  ],
  [
    'Swedish',
    'Förnamn,Andra förnamn,Efternamn,Företag,Befattning,Gatuadress arbete,Stad arbete,Län arbete,Postnummer arbete,Land arbete,Gata hem,Ort hem,Telefon arbete,Telefon hem,Mobil,Fax arbete,Födelsedag,E-postadress,Webbsida,Anteckningar,Make/maka',
  ],
  [
    'Japanese',
    '名,ミドル ネーム,姓,会社名,役職,番地 (会社),市区町村 (会社),都道府県 (会社),郵便番号 (会社),国 (会社),番地 (自宅),市区町村 (自宅),会社電話,自宅電話,携帯電話,会社ファックス,誕生日,電子メール アドレス,ホームページ,メモ,配偶者',
  ],
])('reads all contact details of Outlook in %s', (_, head) => {
  const row = [
    'Ada',
    'M.',
    'Ames',
    'Farm',
    'Boss',
    '"1 Street',
    'Back"',
    'Town',
    'Shire',
    '12345',
    'Land',
    '2 Lane',
    'Village',
    '+1 555 0101',
    '+1 555 0102',
    '+1 555 0103',
    '+1 555 0104',
    '1990-05-01',
    'ada@x.test',
    'https://x.test',
    'Hi',
    'Sam',
  ];
  const file = `${head}\r\n${row.slice(0, 5).join(',')},${row[5]}\n${row.slice(6).join(',')}\r\n`;
  const [found] = readWhole(file).people;
  expect(found).toMatchObject({ name: 'Ada M. Ames', emails: ['ada@x.test'], note: 'Hi' });
  expect(detailsOf(found?.lines ?? []).map(({ kind, label, text }) => [kind, label, text])).toEqual([
    ['company', '', 'Farm'],
    ['title', '', 'Boss'],
    ['phone', 'work', '+1 555 0101'],
    ['phone', 'home', '+1 555 0102'],
    ['phone', 'cell', '+1 555 0103'],
    ['phone', 'fax, work', '+1 555 0104'],
    ['birthday', '', '1990-05-01'],
    ['site', '', 'https://x.test'],
    ['address', 'work', '1 Street\nBack\nTown\nShire\n12345\nLand'],
    ['address', 'home', '2 Lane\nVillage'],
    ['other', head.split(',').at(-1), 'Sam'],
  ]);
});

test('contact details survive a CSV export and import', () => {
  const lines = [
    'N:Ames;Ada;M.;;',
    'TEL;TYPE=cell:+1 555 0100',
    'item1.TEL:+1 555 0101',
    'item1.X-ABLABEL:Boat',
    'ADR;TYPE=home:;;1 Street\\nBack;Town;Shire;12345;Land',
    'BDAY:19900501',
    'ORG:Farm\\, Fruit',
    'URL:https://x.test',
    'field1.X-FIELD:39',
    'field1.X-ABLABEL:Shoe size',
  ];
  const one = { ...person('Ada Ames', 'ada@x.test', 'a@y.test'), lines };
  const file = writeContactCsv([one, person('Bob', 'bob@x.test')]);
  expect(file.split('\r\n')[0]).toContain(
    'Phone 2 - Label,Phone 2 - Value,Address 1 - Label,Address 1 - Street',
  );
  const [again, bob] = readWhole(file).people;
  const told = (from: readonly string[] = []) =>
    detailsOf(from)
      .map(({ kind, label, text }) => `${kind} ${label} ${text}`)
      .sort();
  expect(told(again?.lines)).toEqual(told(lines));
  expect(again?.emails).toEqual(one.emails);
  expect(bob).toEqual(person('Bob', 'bob@x.test'));
});

test('Google’s column kinds become types and labels', () => {
  const [found] = readWhole(
    'Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Type,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Event 1 - Label,Event 1 - Value\n' +
      'Ada,* Home,ada@x.test,Mobile,+1 555 0100 ::: +1 555 0101,Boat,+1 555 0102,Home,"1 Street\nTown",1 Street,Town,Anniversary,2001-02-03\n',
  ).people;
  expect(detailsOf(found?.lines ?? []).map(({ kind, label, text }) => [kind, label, text])).toEqual([
    ['phone', 'cell', '+1 555 0100'],
    ['phone', 'cell', '+1 555 0101'],
    ['phone', 'Boat', '+1 555 0102'],
    ['address', 'home', '1 Street\nTown'],
    ['other', 'Anniversary', '2001-02-03'],
  ]);
});

test('unnamed columns of phone numbers become telephones', () => {
  const [found] = readWhole('ada@x.test;+49 170 1234567;x\nbob@x.test;0301234567;y\n').people;
  expect(found?.lines).toEqual(['TEL:+49 170 1234567']);
});

test('reads UTF-16 in both byte orders, with and without a byte order mark, and UTF-8 with one', () => {
  const text = 'Name,Email\r\nŻółw 漢,z@x.test\r\n';
  const little = (code: number) => [code & 255, code >> 8];
  const big = (code: number) => [code >> 8, code & 255];
  const files = [
    bytesOf(`\ufeff${text}`, little),
    bytesOf(`\ufeff${text}`, big),
    bytesOf(text, little),
    bytesOf(text, big),
    utf8(`\ufeff${text}`),
    utf8(text),
  ];
  for (const file of files) expect(read(file).people).toEqual([person('Żółw 漢', 'z@x.test')]);
});

test('reports rows without an address and splits names from addresses', () => {
  const file =
    'Name,Email\nPhone Only,\n,\nJunk,not an address\nAda,"Ada L. <ada@x.test>; ADA@x.test, ada@y.test"\n';
  expect(read(file)).toEqual({
    people: [person('Ada', 'ada@x.test', 'ada@y.test')],
    without: [
      { row: 1, name: 'Phone Only' },
      { row: 2, name: 'Junk' },
    ],
    isCut: false,
  });
});

test('column roles can be set by hand, which adds the omitted values', () => {
  const table = readContactTable('Wer,Wohin,Was\nAda,ada@x.test,=1+1\n');
  expect(guessRoles(table)).toEqual(['custom', 'email', 'custom']);
  expect(peopleOf(table, ['full_name', 'email', 'note']).people).toEqual([
    { ...person('Ada', 'ada@x.test'), note: '=1+1' },
  ]);
});

test('reports what is wrong with a bad file', () => {
  expect(faultOf(new Uint8Array(CONTACT_CSV_MAX_BYTES + 1))).toBe('too_large');
  expect(faultOf(Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 1))).toBe('not_text');
  expect(faultOf('')).toBe('empty');
  expect(faultOf('\r\n\r\n')).toBe('empty');
  expect(faultOf('Name,Email\r\n')).toBe('empty');
  expect(faultOf('Name,Email\n"Ada,ada@x.test\nBob,bob@x.test\n')).toBe('open_quote');
});

test('any bytes give people or an error, and rows are limited', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
      const fault = faultOf(bytes);
      expect(fault === null || typeof fault === 'string').toBe(true);
    }),
    { numRuns: 300 },
  );
  const long = readContactTable(`Name,Email\n${'A,a@x.test\n'.repeat(CONTACT_CSV_MAX_ROWS + 1)}`);
  expect([long.rows.length, long.isCut]).toEqual([CONTACT_CSV_MAX_ROWS, true]);
});

test('long cells are cut, at a blank if one is near', () => {
  const [long, words] = ['x'.repeat(100_000), 'ada@x.test '.repeat(10_000)];
  const { headers, rows } = readContactTable(`Name${long},Email\n${long},"${words}"\n`);
  expect(headers[0]).toHaveLength(CONTACT_CSV_CELL_MAX_CHARACTERS);
  expect(rows[0]?.[0]).toHaveLength(CONTACT_CSV_CELL_MAX_CHARACTERS);
  expect(rows[0]?.[1]).toMatch(/^(ada@x\.test )+ada@x\.test$/);
  expect(rows[0]?.[1]?.length).toBeLessThanOrEqual(CONTACT_CSV_CELL_MAX_CHARACTERS);
});

test('rows with too many addresses and groups keep the first ones, in bounded work', () => {
  const columns = Array.from({ length: 400 }, () => 'Email').join(',');
  const words = Array.from({ length: 4_000 }, (_, index) => `a@${index}`).join(' ');
  const groups = Array.from({ length: 2_000 }, (_, index) => `g${index}`);
  const row = [`"a@x.test ${words}"`, groups.join(';'), ...Array.from({ length: 400 }, () => 'b@')];
  const rows = 60;
  const table = readContactTable(`Email,Groups,${columns}\n${`${row.join(',')}\n`.repeat(rows)}`);
  const roles = guessRoles(table);
  const trim = vi.spyOn(String.prototype, 'trim');
  const { people, isCut } = peopleOf(table, roles);
  const looks = trim.mock.calls.length;
  trim.mockRestore();
  expect(people).toHaveLength(rows);
  expect(people[0]).toEqual({ ...person('', 'a@x.test'), groups });
  expect(isCut).toBe(true);
  expect(people.reduce((sum, one) => sum + one.groups.length, 0)).toBe(CONTACT_FILE_GROUPS_MAX);
  // Each cell is read a few times, as are each tested address and each examined group.
  expect(looks / rows).toBeLessThan(3 * table.headers.length + 1_000 + CONTACT_FILE_GROUPS_MAX / rows);
});

test('no written cell begins like a formula', () => {
  const signs = ['=', '+', '-', '@', '＝', "'="];
  const file = writeContactCsv(
    signs.map(sign => ({
      name: `${sign}1+1`,
      emails: ['+1@x.test'],
      note: `${sign}2`,
      groups: [`${sign}3`],
    })),
  );
  const cells = readContactTable(file).rows.flat();
  expect(cells).toHaveLength(signs.length * 4);
  for (const cell of cells) expect(cell).toMatch(/^''?[=+\-@＝]/);
});

test('no written cell begins like a formula under other separators, either', () => {
  const note = "Call;=HYPERLINK(1)\n@SUM(1)\n-2+3+cmd|' /C calc'!A0\n- milk\n'=kept\n+49 30 1234";
  const people = [{ name: 'a;=1', emails: ['a@a.example'], note, groups: ['x;=2'] }];
  const file = writeContactCsv(people);
  for (const cell of file.split(/[;\t\n]/)) expect(cell).not.toMatch(/^(?:[=@]|[-+].*[|(!])/);
  expect(file).toContain('\n- milk\n');
  expect(read(file).people).toEqual(people);
});

test('written contacts are read back unchanged', () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('=', "'", ';', ',', '"', '+', 'n', ' ', '@', '-'), maxLength: 12 }),
    )
    .map(value => value.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
  const filled = text.filter(value => value !== '');
  const group = filled.filter(value => !value.startsWith('*') && !value.includes('::'));
  const anybody = fc.record({
    name: filled,
    emails: fc.uniqueArray(fc.constantFrom('a@a.example', '+b@b.example', 'c+d@c.example'), { minLength: 1 }),
    note: fc.oneof(text, fc.constant('two\nlines')),
    groups: fc.uniqueArray(group, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(anybody, { minLength: 1, maxLength: 4 }), people => {
      expect(read(writeContactCsv(people))).toEqual({ people, without: [], isCut: false });
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['quotation marks', '"'.repeat(3_000_000)],
  ['cells that are quoted by halves', `"${'a"b'.repeat(1_000_000)}`],
  ['quotation marks in every row', '"a" b\n'.repeat(500_000)],
  ['separators', ','.repeat(3_000_000)],
  ['empty rows', '\n'.repeat(3_000_000)],
  ['at signs', `Email\n${`${'@'.repeat(19_999)}\n`.repeat(150)}`],
])('megabytes of %s give people or an error', (_, text) => {
  const fault = faultOf(text);
  expect([null, 'empty', 'open_quote']).toContain(fault);
});

test.each([
  ['CRLF and quotes', '\r\n', (at: number) => `"Jürgen\r\n""J"" ${at}"`],
  ['LF', '\n', (at: number) => `Jürgen ${at}`],
  ['CR and empty rows', '\r\r', (at: number) => `"Jürgen, ${at}"`],
])('20,000 rows are read in slices that yield to other work: %s', async (_, newline, name) => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `${name(at)},j${at}@firm.example,+49 30 ${at}`);
  const text = ['Name,E-mail,Phone', ...rows, ''].join(newline);
  let slices = 0;
  const pause = async () => {
    slices += 1;
    await null;
  };
  const table = await runInSlices(contactTableSteps(text), pause);
  expect(table.rows).toHaveLength(20_000);
  expect(table.isCut).toBe(false);
  expect(slices).toBeGreaterThanOrEqual(200);
  slices = 0;
  const { people } = await runInSlices(peopleSteps(table, guessRoles(table)), pause);
  expect(people.map(({ emails }) => emails[0])).toEqual(rows.map((_, at) => `j${at}@firm.example`));
  expect(people.at(-1)?.name).toContain('19999');
  expect(slices).toBeGreaterThanOrEqual(25);
});
