// Labels of Google's exports in many languages: system places and states are recognized, and only
// the user's own labels become labels.
import { expect, test } from 'vitest';
import { readGmailLabels } from './gmail-labels.ts';
import { toMessageItem } from './message-item.ts';

function said(text: string) {
  const { isRead, isStarred, places, labels } = readGmailLabels(text);
  return [
    isRead ? 'read' : 'unread',
    ...(isStarred ? ['starred'] : []),
    ...places,
    ...labels.slice(places.length),
  ];
}

test.each([
  ['Inbox,Important,Opened,Category Personal,Work', ['read', 'inbox', 'Work']],
  ['Posteingang,Wichtig,Geöffnet,"Kategorie: Persönlich",Projekte/Haus', ['read', 'inbox', 'Projekte/Haus']],
  ['Gesendet,Markiert', ['read', 'starred', 'sent']],
  ['Papierkorb,Ungelesen', ['unread', 'deleted']],
  ['Archivés,Envoyé', ['read', 'archive', 'sent']],
  ['Boîte de réception,Non lus,Important,Catégorie : Réseaux sociaux,Maison', ['unread', 'inbox', 'Maison']],
  ['Recibidos,Importante,No leídos,Categoría: Promociones,Casa', ['unread', 'inbox', 'Casa']],
  ['Enviados,Abiertos,Destacados', ['read', 'starred', 'sent']],
  ['Posta in arrivo,Da leggere,Speciali', ['unread', 'starred', 'inbox']],
  ['Caixa de entrada,Não lidas,Com estrela', ['unread', 'starred', 'inbox']],
  ['Postvak IN,Ongelezen,Met ster,Reizen', ['unread', 'starred', 'inbox', 'Reizen']],
  ['Odebrane,Nieprzeczytane,Ważne,Oznaczone gwiazdką', ['unread', 'starred', 'inbox']],
  ['Odesláno,Nepřečtené', ['unread', 'sent']],
  ['Inkorg,Olästa,Stjärnmärkt,Hus', ['unread', 'starred', 'inbox', 'Hus']],
  ['Indbakke,Ulæst,Vigtigt', ['unread', 'inbox']],
  ['Saapuneet,Lukematta', ['unread', 'inbox']],
  ['Входящие,Непрочитанные,Важное,Помеченные,Дом', ['unread', 'starred', 'inbox', 'Дом']],
  ['Надіслані,Відкриті', ['read', 'sent']],
  ['Εισερχόμενα,Μη αναγνωσμένα', ['unread', 'inbox']],
  ['Gelen Kutusu,Okunmamış,Yıldızlı', ['unread', 'starred', 'inbox']],
  ['Hộp thư đến,Chưa đọc', ['unread', 'inbox']],
  ['البريد الوارد,غير مقروءة,مميزة بنجمة,عمل', ['unread', 'starred', 'inbox', 'عمل']],
  ['דואר נכנס,לא נקראו,חשוב,בית', ['unread', 'inbox', 'בית']],
  ['受信トレイ,未読,重要,仕事', ['unread', 'inbox', '仕事']],
  ['送信済み,開封済み,スター付き', ['read', 'starred', 'sent']],
  ['收件箱,未读,已加星标', ['unread', 'starred', 'inbox']],
  ['寄件備份,已開啟', ['read', 'sent']],
  ['받은편지함,읽지않음,별표편지함', ['unread', 'starred', 'inbox']],
  ['กล่องจดหมาย,ยังไม่ได้อ่าน,ติดดาว', ['unread', 'starred', 'inbox']],
  ['इनबॉक्स,अपठित,तारांकित', ['unread', 'starred', 'inbox']],
  ['Beérkező levelek,Olvasatlan,Csillagozott', ['unread', 'starred', 'inbox']],
  ['Primite,Necitite,Cu stea', ['unread', 'starred', 'inbox']],
])('%s', (text, expected) => {
  expect(said(text)).toEqual(expected);
});

test('labels before the state label are places, even unknown ones, and quoted labels are unquoted', () => {
  expect(readGmailLabels('Kuvaton,Opened,Work').labels).toEqual(['Work']);
  expect(readGmailLabels('Work').labels).toEqual(['Work']);
  expect(readGmailLabels('').labels).toEqual([]);
  expect(readGmailLabels('Inbox,"Me, myself","say ""yes""","a \\"b\\"",Plain').labels).toEqual([
    'Inbox',
    'Me, myself',
    'say "yes"',
    'a "b"',
    'Plain',
  ]);
});

test('encoded and folded labels are decoded', () => {
  const item = toMessageItem({
    key: '1',
    folder: [],
    name: 'a',
    isInMbox: true,
    bytes: new TextEncoder().encode(
      'X-GM-THRID: 1\r\nX-Gmail-Labels: =?UTF-8?Q?Posteingang,Ungelesen,"B=C3=BCro,_?=\r\n =?UTF-8?Q?Stra=C3=9Fe",Reise?=\r\nFrom: a@x.test\r\n\r\nx\r\n',
    ),
  });
  expect(item).toMatchObject({ flags: { isRead: false }, labels: ['Inbox', 'Büro, Straße', 'Reise'] });
});
