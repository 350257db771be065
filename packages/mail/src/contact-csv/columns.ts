// Guesses the meaning of columns in a CSV file of contacts, by content and by the names that
// Google, Outlook, Yahoo, Thunderbird, Proton and others use in English, German, French, Spanish
// and some more languages. Only a first guess: the user can change it.
import { isValidAddress } from '../addresses.ts';
import type { ContactTable } from './table.ts';

/** Roles of a column; `none` is left out, `custom` is kept under its name. */
export const columnRoles = [
  'none',
  'email',
  'full_name',
  'given_name',
  'middle_name',
  'family_name',
  'nickname',
  'company',
  'title',
  'phone',
  'street',
  'city',
  'region',
  'postcode',
  'country',
  'address',
  'birthday',
  'site',
  'note',
  'groups',
  'custom',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** Text beyond this is never compared: the column name is looked up for each cell. */
const NAME_MAX_CHARACTERS = 200;

/** Returns a column name in lowercase, without accents and punctuation. */
export const plainOf = (header: string): string =>
  header
    .slice(0, NAME_MAX_CHARACTERS)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Complete column names, separated by bars. */
const namesByRole: Readonly<Partial<Record<ColumnRole, string>>> = {
  full_name:
    'full name|display name|contact name|fn|anzeigename|vollständiger name|nom complet|nom à afficher|nom affiché|nom d affichage|nombre completo|nombre para mostrar|mostrar nombre|nombre mostrado|nome completo|nome visualizzato|nome de exibição|nome para exibição|volledige naam|weergavenaam|imię i nazwisko|nazwa wyświetlana|visningsnamn|fullständigt namn|visningsnavn|fulde navn|полное имя|отображаемое имя|表示名|氏名|フルネーム|姓名|全名|显示名称|顯示名稱|الاسم الكامل|الاسم',
  given_name:
    'first name|first|given name|given|forename|vorname|rufname|prénom|nombre de pila|primer nombre|voornaam|primeiro nome|nome próprio|imię|förnamn|fornavn|etunimi|jméno|keresztnév|ad|имя|名|الاسم الأول',
  middle_name:
    'middle name|middle names|middle|additional name|weitere vornamen|weiterer vorname|zweiter vorname|deuxième prénom|second prénom|autres prénoms|segundo nombre|otros nombres|secondo nome|tweede naam|middelste naam|nome do meio|segundo nome|drugie imię|mellannamn|andra förnamn|mellemnavn|mellomnavn|отчество|ミドル ネーム|ミドルネーム|中间名|中間名|الاسم الأوسط',
  family_name:
    'last name|last|family name|family|surname|nachname|familienname|zuname|nom de famille|apellido|apellidos|primer apellido|cognome|achternaam|sobrenome|apelido|último nome|nazwisko|efternamn|efternavn|etternavn|sukunimi|příjmení|vezetéknév|soyad|soyadı|фамилия|姓|اسم العائلة|الاسم الأخير',
  nickname:
    'nickname|nick name|nick|spitzname|surnom|pseudonyme|apodo|alias|soprannome|bijnaam|alcunha|pseudonim|smeknamn|kaldenavn|псевдоним|ニックネーム|昵称|الاسم المستعار',
  company:
    'company|company name|organization|organisation|organization name|organisation name|organization 1 name|organisation 1 name|firma|unternehmen|firmenname|société|entreprise|empresa|organización|compañía|azienda|società|bedrijf|companhia|företag|organizacja|virksomhed|организация|компания|会社|会社名|公司|单位|公司名称|الشركة',
  title:
    'job title|position|berufsbezeichnung|organization title|organization 1 title|fonction|poste|profession|cargo|puesto|qualifica|posizione|functie|stanowisko|befattning|jobbtitel|stilling|должность|役職|职务|職稱',
  note: 'notes|note|comments|comment|remarks|notizen|notiz|bemerkungen|bemerkung|anmerkungen|anmerkung|kommentare|kommentar|remarques|remarque|commentaires|commentaire|notas|nota|observaciones|comentarios|opmerkingen|notities|observações|anotações|notatki|uwagi|anteckningar|kommentarer|noter|bemærkninger|notater|заметки|примечания|メモ|备注|附注|便笺|備註|ملاحظات',
  groups:
    'groups|group|group membership|labels|label|categories|category|tags|kategorien|kategorie|gruppen|gruppe|gruppenmitgliedschaft|schlagwörter|libellés|libellé|étiquettes|groupes|groupe|catégories|catégorie|grupos|grupo|categorías|categoría|categorias|categoria|categorie|etiquetas|etiqueta|categorieën|kategorier|категории|группы|分類|分类|类别|類別|الفئات|المجموعات',
};

const roleByName: ReadonlyMap<string, ColumnRole> = new Map(
  Object.entries(namesByRole).flatMap(([role, names]) =>
    names.split('|').map(name => [plainOf(name), role as ColumnRole] as const),
  ),
);

/** Matches a whole word of a name; in languages without blanks, a part of it is enough. */
function words(list: string): RegExp {
  const all = list.split('|').map(plainOf);
  const isBare = (word: string) => /[\u3040-\u9fff]/.test(word);
  const bounded = all.filter(word => !isBare(word)).join('|');
  return new RegExp(`(?:^| )(?:${bounded})(?: |$)|${all.filter(isBare).join('|')}`);
}

/**
 * Roles by one word of the column name, as Outlook and Thunderbird use for home and work; the first
 * match counts.
 */
const roleByWord: readonly (readonly [ColumnRole, RegExp])[] = [
  [
    'birthday',
    words(
      'birthday|geburtstag|geburtsdatum|date de naissance|anniversaire|cumpleaños|fecha de nacimiento|compleanno|data di nascita|verjaardag|geboortedatum|data de nascimento|aniversário|urodziny|data urodzenia|födelsedag|fødselsdag|день рождения|誕生日|生日',
    ),
  ],
  [
    'postcode',
    words(
      'zip|zipcode|zip code|postal code|postcode|postleitzahl|plz|code postal|código postal|cap|cep|kod pocztowy|postnummer|postnr|индекс|почтовый индекс|郵便番号|邮政编码|郵遞區號',
    ),
  ],
  ['country', words('country|land|pays|país|paese|kraj|страна|国|国家|國家')],
  [
    'phone',
    words(
      'phone|telephone|tel|fax|mobile|mobil|cell|pager|telefon|mobiltelefon|handy|telefonnummer|rufnummer|autotelefon|faxnummer|téléphone|mobile|portable|télécopie|teléfono|telefono|móvil|celular|cellulare|telefoon|mobiel|mobiele|telefone|telemóvel|komórka|telefonnr|mobilnr|телефон|мобильный|факс|電話|电话|手机|携帯|ファックス|传真',
    ),
  ],
  [
    'street',
    words(
      'street|straße|rue|calle|via|straat|rua|ulica|gata|gatuadress|gade|vej|gateadresse|улица|番地|街道|po box|pob|extended address',
    ),
  ],
  [
    'city',
    words(
      'city|town|ort|stadt|wohnort|ville|ciudad|población|città|plaats|woonplaats|stad|cidade|localidade|miasto|ort|by|poststed|город|市区町村|城市|縣 市',
    ),
  ],
  [
    'region',
    words(
      'state|region|province|bundesland|kanton|département|provincia|estado|provincie|distrito|województwo|län|область|都道府県|省',
    ),
  ],
  [
    'address',
    words(
      'address|adresse|anschrift|dirección|indirizzo|adres|endereço|morada|adress|адрес|住所|地址|formatted',
    ),
  ],
  [
    'site',
    words(
      'website|web|web page|webseite|webpage|homepage|internetseite|page web|site|site web|página web|pagina web|sito|sito web|webpagina|strona|webbsida|webbplats|hjemmeside|веб страница|сайт|ホームページ|网页|網頁',
    ),
  ],
];

/** "Name" is the full name, or the half of it that no other column has. */
const halfOrWhole = /^(name|nom|nombre|nome|naam|namn|navn)$/;

/** Columns that state the type of another column or repeat it for display. */
const LABEL =
  /(^| )(type|typ|label|display|name|angezeigter|nom|nombre|nome|tipo|etiqueta|libelle|bezeichnung|instantanee|format|server)( |$)/;

const isAddressName = (name: string): boolean =>
  (/(^| )(e ?mails?|mail|mailadresse|emailadresse|courriel|messagerie|correo|adresse electronique|posta elettronica|e post|epost|endereco eletronico|البريد)( |$)/.test(
    name,
  ) ||
    /電子メール|メールアドレス|电子邮件|電子郵件|邮箱|электронн/.test(name.normalize('NFC')) ||
    isMailInKana(name)) &&
  !LABEL.test(name) &&
  !/(^| )postal( |$)|表示名|種類|类型|显示|顯示|тип|отображ|краткое/.test(name);

/** Normalized names have lost their combining marks, including those of kana. */
const isMailInKana = (name: string): boolean => name.includes(plainOf('電子メール'));

const LOOKED_AT = 200;

/** Reports whether most values of a column are addresses. */
function holdsAddresses({ rows }: ContactTable, column: number): boolean {
  const cells = rows.slice(0, LOOKED_AT).flatMap(row => {
    const cell = (row[column] ?? '').trim().toLowerCase();
    return cell === '' ? [] : [cell];
  });
  return cells.length > 0 && cells.filter(isValidAddress).length * 2 >= cells.length;
}

const PHONE = /^\+?[\d\s().\-/]{7,25}$/;

/** Reports whether most values of a column are phone numbers. */
function holdsPhones({ rows }: ContactTable, column: number): boolean {
  const cells = rows.slice(0, LOOKED_AT).flatMap(row => {
    const cell = (row[column] ?? '').trim();
    return cell === '' ? [] : [cell];
  });
  const isPhone = (cell: string) =>
    PHONE.test(cell) && /[+()]|^0/.test(cell) && cell.replace(/\D/g, '').length > 6;
  return cells.length > 0 && cells.filter(isPhone).length * 2 >= cells.length;
}

function roleOf(name: string): ColumnRole {
  if (isAddressName(name)) return 'email';
  const whole = roleByName.get(name);
  if (whole !== undefined) return whole;
  if (name === '') return 'none';
  // The type of the next column becomes part of that column.
  if (/(^| )(type|typ|label|tipo|etiqueta|libelle|display)( |$)/.test(name) && /\d| mail|mail /.test(name))
    return 'none';
  if (/(^| )e ?mail( |$)|(^| )(courriel|messagerie|correo)( |$)|電子|электронн/.test(name)) return 'none';
  return roleByWord.find(([, word]) => word.test(name))?.[0] ?? 'custom';
}

/** Guesses the role of each column. */
export function guessRoles(table: ContactTable): ColumnRole[] {
  const names = table.headers.map(plainOf);
  const known = names.map(roleOf);
  const hasGiven = known.includes('given_name');
  const hasFamily = known.includes('family_name');
  return names.map((name, column): ColumnRole => {
    if (halfOrWhole.test(name)) {
      if (hasGiven === hasFamily) return 'full_name';
      return hasGiven ? 'family_name' : 'given_name';
    }
    const role = known[column] ?? 'none';
    if (role !== 'none' && role !== 'custom') return role;
    if (role === 'none' && name !== '') return role;
    if (holdsAddresses(table, column)) return 'email';
    return holdsPhones(table, column) ? 'phone' : role;
  });
}
