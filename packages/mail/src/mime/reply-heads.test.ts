import { expect, test } from 'vitest';
import { countAttributionLines, findEarlierMail, isFooter } from './reply-heads.ts';
import { makeSnippet } from './summary.ts';

function head(labels: string, date: string) {
  const [from, sent, to, subject] = labels.split('|');
  return `${from}: Ines Almeida <ines@a.example>\n${sent}: ${date}\n${to}: Mara Lind\n${subject}: Lake`;
}

test.each([
  ['en', head('From|Sent|To|Subject', 'Monday, March 2, 2026 10:00 AM')],
  ['de', head('Von|Gesendet|An|Betreff', 'Montag, 2. März 2026 10:00')],
  ['fr', head('De |Envoyé |À |Objet ', 'lundi 2 mars 2026 10:00')],
  ['es', head('De|Enviado el|Para|Asunto', 'lunes, 2 de marzo de 2026 10:00')],
  ['it', head('Da|Inviato|A|Oggetto', 'lunedì 2 marzo 2026 10:00')],
  ['pt', head('De|Enviada em|Para|Assunto', 'segunda-feira, 2 de março de 2026 10:00')],
  ['nl', head('Van|Verzonden|Aan|Onderwerp', 'maandag 2 maart 2026 10:00')],
  ['pl', head('Od|Wysłano|Do|Temat', 'poniedziałek, 2 marca 2026 10:00')],
  ['ru', head('От|Отправлено|Кому|Тема', '2 марта 2026 г. 10:00')],
  ['uk', head('Від|Надіслано|Кому|Тема', '2 березня 2026 р. 10:00')],
  ['tr', head('Kimden|Gönderildi|Kime|Konu', '2 Mart 2026 Pazartesi 10:00')],
  ['sv', head('Från|Skickat|Till|Ämne', 'den 2 mars 2026 10:00')],
  ['da', head('Fra|Sendt|Til|Emne', '2. marts 2026 10:00')],
  ['nb', head('Fra|Sendt|Til|Emne', 'mandag 2. mars 2026 10:00')],
  ['fi', head('Lähettäjä|Lähetetty|Vastaanottaja|Aihe', 'maanantai 2. maaliskuuta 2026 10.00')],
  ['cs', head('Od|Odesláno|Komu|Předmět', 'pondělí 2. března 2026 10:00')],
  ['hu', head('Feladó|Elküldve|Címzett|Tárgy', '2026. március 2., hétfő 10:00')],
  ['ro', head('De la|Trimis|Către|Subiect', 'luni, 2 martie 2026 10:00')],
  ['el', head('Από|Στάλθηκε|Προς|Θέμα', 'Δευτέρα, 2 Μαρτίου 2026 10:00')],
  ['ja', head('差出人|送信日時|宛先|件名', '2026年3月2日 10:00')],
  ['zh', head('发件人|发送时间|收件人|主题', '2026年3月2日 10:00')],
  ['zh-TW', head('寄件者|寄件日期|收件者|主旨', '2026年3月2日 上午 10:00').replaceAll(': ', '：')],
  ['ko', head('보낸 사람|보낸 날짜|받는 사람|제목', '2026년 3월 2일 월요일 오전 10:00')],
  ['ar', head('من|تاريخ الإرسال|إلى|الموضوع', '٢ مارس ٢٠٢٦ ١٠:٠٠')],
  ['he', head('\u200fמאת|נשלח|אל|נושא', 'יום שני 2 מרץ 2026 10:00')],
  ['bold', head('*From|*Sent|*To|*Subject', '* Monday, March 2, 2026').replaceAll(': ', ':* ')],
  [
    'Apple',
    'From: Ines <ines@a.example>\nSubject: Lake\nDate: 2 March 2026 at 10:00\nTo: Mara <m@b.example>',
  ],
  [
    'dates first',
    'Gesendet: Montag, 02. März 2026\nVon: "Ines" <ines@a.example>\nAn: m@b.example\nBetreff: Lake',
  ],
  [
    'folded recipients',
    'From: Ines\nSent: 2 March 2026 10:00\nTo: Mara <m@b.example>;\n Tom <t@b.example>;\nZoe <z@b.example>\nCc: x@b.example\nSubject: Lake\nImportance: High',
  ],
  ['empty lines between', 'From: Ines\n\nSent: 2 March 2026\n\nTo: Mara\n\nSubject: Lake'],
])('recognizes the header of a quoted Outlook message (%s)', (_, written) => {
  const lines = `Fine.\n\n${written}\n\nShall we?`.split('\n');
  const found = findEarlierMail(lines);
  expect(found?.start).toBe(2);
  expect(lines[found?.textStart ?? 0]).toBe('Shall we?');
  expect(makeSnippet(lines.join('\n'), null)).toBe('Fine.');
  expect(makeSnippet(lines.slice(2).join('\n'), null)).toBe('Shall we?');
});

test.each([
  'On Mon, Mar 2, 2026 at 10:00 AM Ines Almeida <ines@a.example> wrote:',
  'On Mon, Mar 2, 2026 at 10:00 AM,\nInes Almeida with a long name <ines@a.example>\nwrote:',
  'Am 02.03.26 um 10:00 schrieb Ines Almeida:',
  'Ines Almeida schrieb am 02.03.2026 um 10:00:',
  'Le lun. 2 mars 2026 à 10:00, Ines Almeida <ines@a.example> a\nécrit :',
  'El lun, 2 mar 2026 a las 10:00, Ines (<ines@a.example>) escribió:',
  'Il giorno lun 2 mar 2026 alle ore 10:00 Ines <ines@a.example> ha scritto:',
  'Em seg., 2 de mar. de 2026 às 10:00, Ines <ines@a.example> escreveu:',
  'Op ma 2 mrt 2026 om 10:00 schreef Ines <ines@a.example>:',
  'pon., 2 mar 2026 o 10:00 Ines <ines@a.example> napisał(a):',
  'W dniu 2.03.2026 o 10:00, Ines pisze: \n'.replace('pisze', 'napisała').trim(),
  'пн, 2 мар. 2026 г. в 10:00, Ines <ines@a.example>:',
  'пн, 2 бер. 2026 р. о 10:00 Ines <ines@a.example> пише:',
  'Ines <ines@a.example>, 2 Mar 2026 Pzt, 10:00 tarihinde şunu yazdı:',
  'Den mån 2 mars 2026 kl 10:00 skrev Ines <ines@a.example>:',
  'man. 2. mar. 2026 kl. 10.00 skrev Ines <ines@a.example>:',
  'ma 2. maalisk. 2026 klo 10.00 Ines (ines@a.example) kirjoitti:',
  'po 2. 3. 2026 v 10:00 odesílatel Ines <ines@a.example> napsal:',
  'Ines <ines@a.example> ezt írta (időpont: 2026. márc. 2., H, 10:00):',
  'În lun., 2 mar. 2026 la 10:00, Ines <ines@a.example> a scris:',
  'Στις Δευ 2 Μαρ 2026 στις 10:00 π.μ., ο χρήστης Ines <ines@a.example> έγραψε:',
  '2026年3月2日(月) 10:00 Ines <ines@a.example>:',
  'Ines <ines@a.example> 于2026年3月2日周一 10:00写道：',
  '2026년 3월 2일 (월) 오전 10:00, Ines <ines@a.example>님이 작성:',
  'في الاثنين، 2 مارس 2026 في 10:00 ص تمت كتابة ما يلي بواسطة Ines <ines@a.example>:',
  '\u202bבתאריך יום ב׳, 2 במרץ 2026 ב-10:00 מאת Ines <\u202aines@a.example\u202c>:\u202c',
  'Quoting Ines Almeida <ines@a.example>:',
  'Zitat von Ines Almeida <ines@a.example>:',
])('recognizes the line above a quotation: %s', words => {
  expect(countAttributionLines(['Fine.', '', ...words.split('\n'), ''])).toBe(words.split('\n').length + 1);
  expect(makeSnippet(`Fine.\n\n${words}\n\n> Shall we?`, null)).toBe('Fine.');
  expect(makeSnippet(`${words}\n> Shall we?\n\nBelow.`, null)).toBe('Below.');
});

test.each([
  'Here is what I need:\n\nFrom: Berlin\nDate: 12 May\nTo: Paris\n\nPlease book it.',
  'From: Berlin\nTo: Paris\n\nSubject: to change',
  'The form asks for\nFrom: your name\nDate: today\nTo: the office\nSubject: your request\n\nThanks',
  'These are the fields.\n\nFrom: a@b.example\nDate: 1 May\nTo: c@d.example\nSubject: x\nX-Loop: yes\n\nOdd, is it not?',
  'Message: 1\nDate: Mon, 2 Mar 2026\nFrom: a@b.example\nTo: l@b.example\nSubject: x\n\nDigest',
  'We agreed on two things, Ines wrote:\n\nfirst, the lake.',
  'Answer to ines@a.example before 5 May:\n\nthe lake.',
  '----- Program -----\n\n10:00 Welcome',
])('does not take prose as a reply header: %j', text => {
  expect(findEarlierMail(text.split('\n'))).toBe(null);
});

test('answers below quoted lines are not part of the earlier message', () => {
  const lines =
    'See below.\n\n-----Original Message-----\nFrom: Ines\nSent: 2 March 2026\nTo: Mara\nSubject: Lake\n\n> Lake?\nYes.\n> When?\nNow.';
  expect(findEarlierMail(lines.split('\n'))).toBe(null);
  expect(makeSnippet(lines, null)).toBe('See below. Yes. Now.');
});

test.each([
  ['-----Original Message-----', false],
  ['-------- Ursprüngliche Nachricht --------', false],
  ['-----Исходное сообщение-----', false],
  ['----- 元のメッセージ -----', false],
  ['---------- Forwarded message ---------', true],
  ['-------- Weitergeleitete Nachricht --------', true],
  ['---- On Mon, 02 Mar 2026 10:00:00 +0100 Ines <ines@a.example> wrote ---', false],
])('a line between dashes starts the earlier message: %s', (mark, isForward) => {
  expect(findEarlierMail(['Fine.', '', mark, '', 'Shall we?'])).toEqual({
    start: 2,
    textStart: 4,
    isForward,
  });
});

test('an attribution above unquoted text needs an address and a date', () => {
  const words = 'On Monday, March 2, 2026 at 10:00:00 AM GMT+1, Ines <ines@a.example> wrote:';
  expect(findEarlierMail(['Fine.', '', words, '', ' Shall we?'])?.start).toBe(2);
  expect(makeSnippet(`Fine.\n\n${words}\n\n Shall we?`, null)).toBe('Fine.');
});

test('a footer starts with a rule or the signature separator', () => {
  const list = '_______________________________________________\nlake mailing list\nlake@lists.example';
  expect(isFooter(['', ...list.split('\n')])).toBe(true);
  expect(isFooter(['-- ', 'You received this message because you are subscribed.'])).toBe(true);
  expect(isFooter(['No.', ...list.split('\n')])).toBe(false);
  expect(isFooter(['----------', 'My answer'])).toBe(false);
  expect(isFooter(['_'.repeat(40), ...Array<string>(30).fill('a@b.example')])).toBe(false);
});

test('filler and invisible characters are not part of a snippet', () => {
  const filler = '&#847;&zwnj;&nbsp;&#8199;&shy;&#8203;&#65279;&#12644;&#6158;&#10240;&#8288; '.repeat(60);
  expect(makeSnippet(null, `<div style="display:none">Ten new boats ${filler}</div><p>Dear Mara,</p>`)).toBe(
    'Ten new boats Dear Mara,',
  );
  expect(makeSnippet(`${'\u034f \u200c '.repeat(200)}Dear Mara 👩‍🚒❤️`, null)).toBe('Dear Mara 👩‍🚒❤️');
});

test('reads hostile text in bounded time', () => {
  const startedAt = performance.now();
  for (const line of [
    'From: a',
    '> a',
    '-'.repeat(400),
    '- - '.repeat(90),
    'a@'.repeat(200),
    `${' '.repeat(300)}:`,
  ]) {
    const lines = Array.from({ length: 20_000 }, (_, at) => (at % 3 === 2 ? 'Date: 1:' : line));
    findEarlierMail(lines);
    makeSnippet(lines.join('\n'), null);
  }
  expect(performance.now() - startedAt).toBeLessThan(8_000);
});
