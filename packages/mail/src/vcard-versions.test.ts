// Cards of all versions, as phones and mail programs write them: a round trip loses nothing.
import { describe, expect, test } from 'vitest';
import {
  type CardDetail,
  customLines,
  detailLine,
  detailsOf,
  findPicture,
  withDetails,
} from './card-details.ts';
import { readCardBytes, readCards, readCardsInSlices, writeCards } from './vcard.ts';

const card = (...lines: string[]) => `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\nEND:VCARD\r\n`;
function only(text: string) {
  const [person] = readCards(text).people;
  if (person === undefined) throw new Error('no person');
  return person;
}
const shown = (lines: readonly string[] = []) =>
  detailsOf(lines).map(({ kind, label, text }: CardDetail) => [kind, label, text]);
const latin1 = (text: string) => Uint8Array.from(text, sign => sign.charCodeAt(0));

describe('a card of version 2.1', () => {
  test('may have bare parameters, quoted-printable with soft breaks, and charsets', () => {
    const person = only(
      card(
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;',
        'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen M=C3=BCller',
        'EMAIL;INTERNET;HOME:j.mueller@firm.example',
        'EMAIL;PREF;INTERNET:jm@firm.example',
        'TEL;CELL;VOICE:+49 170 1234567',
        'TEL;WORK;FAX:+49 30 7654321',
        'ADR;HOME;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:;;Gr=FCner Weg 3=0D=0AHinterhaus;K=F6ln;;50667;Deutschland',
        'LABEL;HOME;QUOTED-PRINTABLE:Gr=C3=BCner Weg 3=0D=0A=',
        '50667 K=C3=B6ln',
        'ORG:Firma, Söhne & Co;Einkauf',
        'BDAY:19800229',
        'URL;WORK:http://firm.example/a=b',
        'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Zeile eins=0D=0A=',
        'Zeile zwei mit =C3=A4, C:\\Pfad; Ende',
      ),
    );
    expect(person).toMatchObject({
      name: 'Jürgen Müller',
      emails: ['jm@firm.example', 'j.mueller@firm.example'],
      note: 'Zeile eins\nZeile zwei mit ä, C:\\Pfad; Ende',
    });
    expect(shown(person.lines)).toEqual([
      ['phone', 'cell', '+49 170 1234567'],
      ['phone', 'work, fax', '+49 30 7654321'],
      ['address', 'home', 'Grüner Weg 3\nHinterhaus\nKöln\n50667\nDeutschland'],
      ['other', 'home', 'Grüner Weg 3\n50667 Köln'],
      ['company', '', 'Firma, Söhne & Co, Einkauf'],
      ['birthday', '', '1980-02-29'],
      ['site', 'work', 'http://firm.example/a=b'],
    ]);
    const written = writeCards([person]);
    expect(written).toContain('EMAIL;TYPE=HOME;PREF=2:j.mueller@firm.example');
    expect(only(written)).toEqual(only(writeCards([only(written)])));
    expect(shown(only(written).lines)).toEqual(shown(person.lines));
  });

  test('may have base64 pictures with any line folding', () => {
    for (const photo of [
      ['PHOTO;JPEG;ENCODING=BASE64:/9j/4AAQ', ' SkZJRgAB', '', ''],
      ['PHOTO;TYPE=JPEG;ENCODING=b:/9j/4AAQ', ' SkZJRgAB'],
      ['PHOTO;ENCODING=BASE64;TYPE=PNG:', ' /9j/4AAQ', ' SkZJRgAB'],
      ['PHOTO;BASE64:/9j/4AAQ', 'SkZJRgAB', ''],
      ['PHOTO:data:image/jpeg;base64,/9j/4AAQ', ' SkZJRgAB'],
    ]) {
      const { lines = [] } = only(card('VERSION:2.1', 'FN:A', ...photo, 'EMAIL:a@a.example'));
      expect(findPicture(lines), photo[0]).toBe('data:image/jpeg;base64,/9j/4AAQSkZJRgAB');
    }
    const { lines = [] } = only(
      card('FN:A', 'EMAIL:a@a.example', 'PHOTO;VALUE=uri:https://a.example/me.jpg'),
    );
    expect(findPicture(lines)).toBeNull();
  });

  test('may use another charset than the rest of the file', () => {
    const bytes = latin1(
      card(
        'VERSION:2.1',
        'FN;CHARSET=SHIFT_JIS:\x8eR\x93c\x91\xbe\x98Y',
        'EMAIL;INTERNET:taro@a.example',
        'ORG;CHARSET=WINDOWS-1251:\xd4\xe8\xf0\xec\xe0',
      ),
    );
    const { people } = readCardBytes(bytes, new TextDecoder('windows-1252').decode(bytes));
    expect(people[0]?.name).toBe('山田太郎');
    expect(shown(people[0]?.lines)).toEqual([['company', '', 'Фирма']]);
    // The file is UTF-8, even if a line declares another set.
    const text = card('VERSION:2.1', 'FN;CHARSET=ISO-8859-1:Jürgen', 'EMAIL:j@a.example');
    expect(readCardBytes(new TextEncoder().encode(text), text).people[0]?.name).toBe('Jürgen');
  });

  test('may contain another card', () => {
    const { people } = readCards(
      card(
        'VERSION:2.1',
        'FN:Chief',
        'AGENT:',
        'BEGIN:VCARD',
        'VERSION:2.1',
        'FN:Helper',
        'EMAIL:helper@a.example',
        'END:VCARD',
        'EMAIL:chief@a.example',
      ),
    );
    expect(people).toMatchObject([{ name: 'Chief', emails: ['chief@a.example'] }]);
    expect(people[0]?.lines?.join()).toContain('helper@a.example');
    expect(readCards(writeCards(people)).people).toEqual(people);
  });
});

test('grouped properties stay together, with the labels of their owner', () => {
  const person = only(
    card(
      'VERSION:3.0',
      'N:Ames;Ada;Maria;Dr.;jun.',
      'FN:Ada Ames',
      'item1.EMAIL;type=INTERNET:ada@a.example',
      'item1.X-ABLabel:Summer house',
      'item2.TEL:+1 555 0100',
      'item2.X-ABLabel:_$!<Mother>!$_',
      'item3.X-ABDATE:2001-02-03',
      'item3.X-ABLabel:_$!<Anniversary>!$_',
      'X-SOCIALPROFILE;type=twitter:https://social.example/ada',
      'X-PHONETIC-FIRST-NAME:Eda',
      'IMPP;X-SERVICE-TYPE=XMPP:xmpp:ada@a.example',
      'GEO:52.5;13.4',
    ),
  );
  expect(shown(person.lines)).toEqual([
    ['phone', 'Mother', '+1 555 0100'],
    ['other', 'Anniversary', '2001-02-03'],
    ['other', 'twitter', 'https://social.example/ada'],
    ['other', 'phonetic first name', 'Eda'],
    ['other', 'impp', 'xmpp:ada@a.example'],
    ['other', 'geo', '52.5;13.4'],
  ]);
  const written = writeCards([person]);
  for (const line of [
    'item1.EMAIL;PREF=1:ada@a.example',
    'item1.X-ABLABEL:Summer house',
    'N:Ames;Ada;Maria;Dr.;jun.',
    'X-SOCIALPROFILE;TYPE=twitter:https://social.example/ada',
    'GEO:52.5;13.4',
  ])
    expect(written.replace(/\r\n /g, '')).toContain(line);
  expect(readCards(written).people).toEqual(readCards(writeCards(readCards(written).people)).people);
});

test('reads cards without version or end, concatenated, with blanks and broken lines', () => {
  const { people } = readCards(
    [
      '\ufeffBEGIN:VCARD',
      'FN:One',
      'EMAIL:one@a.example',
      'begin:vcard',
      'fn:Two',
      'email;type=internet:two@a.example',
      'note:first line',
      'second line without a fold',
      'tel:1234567',
      'END:VCARD  ',
      'BEGIN: VCARD',
      'N:Drei;Nora',
      'EMAIL:three@a.example',
    ].join('\n'),
  );
  expect(people.map(({ name, emails, note }) => [name, emails[0], note])).toEqual([
    ['One', 'one@a.example', ''],
    ['Two', 'two@a.example', 'first line\nsecond line without a fold'],
    ['Nora Drei', 'three@a.example', ''],
  ]);
  expect(shown(people[1]?.lines)).toEqual([['phone', '', '1234567']]);
});

describe('details', () => {
  const lines = [
    'item1.TEL;TYPE=cell:+1 555 0100',
    'item1.X-ABLabel:Boat',
    'ADR;TYPE=home:;;1 Street;Town;;12345;Land',
    'ORG:Farm;Fruit',
    'BDAY;VALUE=date:1990-05-01',
    'X-ODD;X=1:kept\\, as it is',
  ];
  test('that change keep their parameters, and all others stay unchanged', () => {
    expect(
      withDetails(
        lines,
        new Map([
          [0, '+1 555 0199'],
          [2, '2 Street\nTown\n12345\nLand'],
          [3, 'Orchard, Fruit'],
          [4, '1991-06-02'],
        ]),
      ),
    ).toEqual([
      'item1.TEL;TYPE=cell:+1 555 0199',
      'item1.X-ABLabel:Boat',
      'ADR;TYPE=home:;;2 Street;Town;;12345;Land',
      'ORG:Orchard;Fruit',
      'BDAY:19910602',
      'X-ODD;X=1:kept\\, as it is',
    ]);
    expect(withDetails(lines, new Map(detailsOf(lines).map(({ at, text }) => [at, text])))).toEqual(lines);
  });

  test('that are emptied lose their label, and new ones are added', () => {
    expect(
      withDetails(
        lines,
        new Map([
          [0, ''],
          [2, ' '],
        ]),
      ),
    ).toEqual(lines.slice(3));
    expect(detailLine('address', 'One line\nTwo; lines')).toBe('ADR:;;One line\\nTwo\\; lines;;;;');
    expect(detailLine('birthday', '2000-01-31')).toBe('BDAY:20000131');
    expect(
      shown(
        customLines([
          ['Shoe size', '39'],
          ['Färbung', 'blau; hell'],
        ]),
      ),
    ).toEqual([
      ['other', 'Shoe size', '39'],
      ['other', 'Färbung', 'blau; hell'],
    ]);
  });
});

test.each([
  ['UTF-8', (text: string) => new TextEncoder().encode(text)],
  ['one byte for each character', (text: string) => Uint8Array.from(text, char => char.charCodeAt(0))],
])('20,000 cards in %s are read in slices that yield to other work', async (_, encode) => {
  const card = (at: number) =>
    `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jürgen ${at}\r\nEMAIL:j${at}@firm.example\r\nTEL:+49 30 ${at}\r\nEND:VCARD\r\n`;
  const text = Array.from({ length: 20_000 }, (_, at) => card(at)).join('');
  let waiting = 0;
  const told: number[] = [];
  const { people } = await readCardsInSlices(encode(text), text, async read => {
    told.push(read);
    waiting += 1;
    await null;
    waiting -= 1;
  });
  expect(people).toHaveLength(20_000);
  expect(people.at(-1)).toMatchObject({ name: 'Jürgen 19999', emails: ['j19999@firm.example'] });
  // Fifty cards at a time, found and then read, and each slice starts only after the previous one
  // was awaited.
  expect(told.length).toBeGreaterThanOrEqual(2 * 399);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBeGreaterThan(0.99);
  expect(waiting).toBe(0);
});
