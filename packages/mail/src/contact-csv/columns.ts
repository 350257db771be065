// What the columns of a CSV file of contacts mean, by their names as Google, Outlook, Yahoo, Thunderbird, Proton and others
// write them in English, German, French, Spanish and some more languages, and by what stands in them. Only a first guess:
// whoever imports can change it.
import { isValidAddress } from '../addresses.ts';
import type { ContactTable } from './table.ts';

/** What a column can be; `none` is left out. */
export const columnRoles = [
  'none',
  'email',
  'full_name',
  'given_name',
  'middle_name',
  'family_name',
  'nickname',
  'company',
  'note',
  'groups',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** Names without marks, capitals and signs, as `plainOf` gives them; between bars. */
const namesByRole: Readonly<Partial<Record<ColumnRole, string>>> = {
  full_name:
    'full name|display name|contact name|fn|anzeigename|vollstandiger name|nom complet|nom a afficher|nom affiche|nom d affichage|nombre completo|nombre para mostrar|mostrar nombre|nombre mostrado|nome completo|nome visualizzato|volledige naam|weergavenaam|الاسم الكامل|الاسم',
  given_name:
    'first name|first|given name|given|forename|vorname|rufname|prenom|nombre de pila|primer nombre|voornaam|الاسم الاول',
  middle_name:
    'middle name|middle names|middle|additional name|weitere vornamen|weiterer vorname|zweiter vorname|deuxieme prenom|second prenom|autres prenoms|segundo nombre|otros nombres|الاسم الاوسط',
  family_name:
    'last name|last|family name|family|surname|nachname|familienname|zuname|nom de famille|apellido|apellidos|primer apellido|cognome|achternaam|اسم العائلة|الاسم الاخير',
  nickname:
    'nickname|nick name|nick|spitzname|surnom|pseudonyme|apodo|alias|soprannome|bijnaam|الاسم المستعار',
  company:
    'company|company name|organization|organisation|organization name|organisation name|organization 1 name|organisation 1 name|firma|unternehmen|firmenname|societe|entreprise|empresa|organizacion|compania|azienda|societa|bedrijf|الشركة',
  note: 'notes|note|comments|comment|remarks|notizen|notiz|bemerkungen|bemerkung|anmerkungen|anmerkung|kommentare|kommentar|remarques|remarque|commentaires|commentaire|notas|nota|observaciones|comentarios|opmerkingen|notities|ملاحظات',
  groups:
    'groups|group|group membership|labels|label|categories|category|tags|kategorien|kategorie|gruppen|gruppe|gruppenmitgliedschaft|schlagworter|libelles|libelle|etiquettes|groupes|groupe|categorie|grupos|grupo|categorias|categoria|etiquetas|etiqueta|categorieen|الفئات|المجموعات',
};

const roleByName: ReadonlyMap<string, ColumnRole> = new Map(
  Object.entries(namesByRole).flatMap(([role, names]) =>
    names.split('|').map(name => [name, role as ColumnRole] as const),
  ),
);

/** "Name" is the whole name, or the half of it that another column does not have. */
const halfOrWhole = /^(name|nom|nombre|nome|naam)$/;

const isAddressName = (name: string): boolean =>
  /(^| )(e ?mails?|mail|mailadresse|emailadresse|courriel|messagerie|correo|adresse electronique|البريد)( |$)/.test(
    name,
  ) &&
  !/(^| )(type|typ|label|display|name|angezeigter|nom|nombre|tipo|etiqueta|libelle|bezeichnung|instantanee|postal|format|server)( |$)/.test(
    name,
  );

const plainOf = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const lookedAt = 200;

/** Whether most of what stands in a column is addresses. */
function holdsAddresses({ rows }: ContactTable, column: number): boolean {
  const cells = rows.slice(0, lookedAt).flatMap(row => {
    const cell = (row[column] ?? '').trim().toLowerCase();
    return cell === '' ? [] : [cell];
  });
  return cells.length > 0 && cells.filter(isValidAddress).length * 2 >= cells.length;
}

/** What each column seems to be. */
export function guessRoles(table: ContactTable): ColumnRole[] {
  const names = table.headers.map(plainOf);
  const known = names.map(name => (isAddressName(name) ? 'email' : (roleByName.get(name) ?? 'none')));
  const hasGiven = known.includes('given_name');
  const hasFamily = known.includes('family_name');
  return names.map((name, column): ColumnRole => {
    if (halfOrWhole.test(name)) {
      if (hasGiven === hasFamily) return 'full_name';
      return hasGiven ? 'family_name' : 'given_name';
    }
    const role = known[column] ?? 'none';
    return role === 'none' && holdsAddresses(table, column) ? 'email' : role;
  });
}
