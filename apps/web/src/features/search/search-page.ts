// A page of search results: index hits, newest first, with their rows from the server, minus those
// that the rows rule out. While the index is incomplete, the server is also searched for names and
// addresses. The typed text is sent to the server in no other case.
import type { Email, queryInput } from '@keyfold/contract';
import { FOLDER_FILTERS } from '@keyfold/contract/folders';
import type { HitPlace } from '@keyfold/search/index';
import { phraseIndexes } from '@keyfold/search/phrase';
import { type Condition, judge, parseQuery, type Query } from '@keyfold/search/query';
import { matchesRow } from '@keyfold/search/row-predicate';
import type { z } from 'zod';
import { searchIndex } from '../../crypto/search-client.ts';
import { mailClient } from '../../session/calls/clients/mail.ts';
import { readerCalendar } from './reader-calendar.ts';
import { searchView, setSearchView } from './search-state.ts';
import { ensureSearch } from './start.ts';

type MailQuery = z.input<typeof queryInput>;

/** Where a page starts: after a hit, after a row of the server, or at the top. */
export type SearchStart = { readonly after: HitPlace | null } | { readonly lastId: string };

export type SearchPage<Row> = {
  readonly rows: readonly Row[];
  /** Number of hits; an estimate while rows or texts are still to be checked. */
  readonly count: number;
  readonly isAbout: boolean;
  readonly next: SearchStart | null;
};

const PAGE_ROWS = 50;
const HITS_AT_ONCE = 100;
/** Maximum number of hits that are checked for one page. The page is then shown as it is. */
const HITS_PER_PAGE = 3_000;

/** Returns the search text combined with the list's filter. */
export function withFilter(text: string, filter: string): string {
  const more = { unread: 'is:unread', starred: 'is:starred', attachment: 'has:attachment' }[filter];
  return more === undefined ? text : `(${text}) ${more}`;
}

/** Deleted messages and spam are found only when the query asks for them. */
const asksForAll = ({ conditions }: Query): boolean =>
  conditions.some(
    condition => condition.kind === 'in' || (condition.kind === 'is' && condition.state === 'flagged'),
  );

const isFolder = (place: string): place is keyof typeof FOLDER_FILTERS =>
  Object.hasOwn(FOLDER_FILTERS, place);

function serverPart(condition: Condition): MailQuery | null {
  switch (condition.kind) {
    case 'is':
      if (condition.state === 'unread') return { read: false };
      return { [condition.state]: true };
    case 'in':
      return isFolder(condition.place) ? { ...FOLDER_FILTERS[condition.place] } : { tag: [condition.place] };
    case 'tag':
      return { tag: [condition.name] };
    case 'attachment':
      return { attachment: true };
    default:
      return null;
  }
}

/**
 * Returns the server query when the search consists only of state, folder and tags, which need no
 * index; else null.
 */
export function serverQuery({ formula, conditions }: Query): MailQuery | null {
  const isPlain =
    formula?.kind === 'condition' ||
    (formula?.kind === 'and' && formula.parts.every(part => part.kind === 'condition'));
  if (!isPlain) return null;
  let query: MailQuery = {};
  const tags: string[] = [];
  for (const condition of conditions) {
    const part = serverPart(condition);
    if (part === null) return null;
    for (const [name, value] of Object.entries(part))
      if (name !== 'tag' && name in query && query[name as keyof MailQuery] !== value) return null;
    tags.push(...((part.tag as string[] | undefined) ?? []));
    query = { ...query, ...part };
  }
  return {
    ...(asksForAll({ formula, conditions }) ? {} : { deleted: false, flagged: false }),
    ...query,
    ...(tags.length === 0 ? {} : { tag: tags }),
  };
}

/**
 * Returns the one text that the server can look up among names and addresses, or null when that
 * would not answer the query.
 */
function serverText({ conditions }: Query): string | null {
  const words = conditions.flatMap(condition => (condition.kind === 'words' ? [condition] : []));
  const [only] = words;
  if (only === undefined || words.length > 1) return null;
  return only.field === null || only.field === 'from' || only.field === 'to' ? only.text : null;
}

const toBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Evaluates, for a message that the server found, a condition that the index would answer. */
function truthWithoutIndex(condition: Condition, mail: Email): boolean {
  if (condition.kind === 'attachment') return mail.attachments.length > 0;
  if (condition.kind !== 'date') return true;
  const at = Date.parse(mail.received_at);
  return (condition.from === null || at >= condition.from) && (condition.to === null || at < condition.to);
}

async function askServer(query: Query): Promise<Email[]> {
  const text = serverText(query);
  if (text === null || query.formula === null) return [];
  const { formula, conditions } = query;
  try {
    const { data } = await mailClient.query({ search: toBase64(text), view: 'summary', count: PAGE_ROWS });
    setSearchView({ hasServerFailed: false });
    return data.filter(
      mail =>
        judge(formula, index => {
          const condition = conditions[index] as Condition;
          return matchesRow(condition, mail) ?? truthWithoutIndex(condition, mail);
        }) === true,
    );
  } catch {
    setSearchView({ hasServerFailed: true });
    return [];
  }
}

const isWanted = (query: Query, mail: Email): boolean => asksForAll(query) || !(mail.deleted || mail.flagged);

type Looked = { mails: Email[]; next: SearchStart | null; total: number };

/** Reads the hits after a position until a page is full. */
async function look(query: Query, from: HitPlace | null): Promise<Looked> {
  const index = await searchIndex();
  const { formula, conditions } = query;
  const phrases = phraseIndexes(query);
  const mails: Email[] = [];
  let after = from;
  let total = 0;
  for (let looked = 0; looked < HITS_PER_PAGE || mails.length === 0; looked += HITS_AT_ONCE) {
    const page = await index.search(query, HITS_AT_ONCE, after);
    total = page.total;
    if (page.hits.length === 0) return { mails, next: null, total };
    const { data } = await mailClient.some({ ids: page.hits.map(({ id }) => id) });
    const rows = new Map(data.map(mail => [mail.id, mail]));
    const failing =
      phrases.length === 0 ? null : await index.checkPhrases(conditions, [...rows.keys()], phrases);
    for (const hit of page.hits) {
      after = { at: hit.at, id: hit.id };
      const mail = rows.get(hit.id);
      // The index still has the previous version of a draft that was saved again.
      const isOld = mail?.draft === true && Math.floor(Date.parse(mail.received_at) / 1000) !== hit.at;
      if (mail === undefined || isOld || !isWanted(query, mail) || formula === null) continue;
      const truth = judge(formula, at => {
        const known = matchesRow(conditions[at] as Condition, mail);
        if (known !== null) return known;
        return (hit.truths & (1 << at)) !== 0 && failing?.get(mail.id)?.includes(at) !== true;
      });
      if (truth === true) mails.push(mail);
      if (mails.length === PAGE_ROWS) return { mails, next: { after }, total };
    }
    if (page.hits.length < HITS_AT_ONCE) return { mails, next: null, total };
  }
  return { mails, next: { after }, total };
}

/**
 * Returns one page of a search. Relative dates count from `now`; `open` turns messages into rows.
 */
export async function searchPage<Row>(
  text: string,
  now: number,
  start: SearchStart,
  open: (mails: readonly Email[]) => Promise<readonly Row[]>,
): Promise<SearchPage<Row>> {
  const query = parseQuery(text, readerCalendar(new Date(now)));
  if (query.formula === null) return { rows: [], count: 0, isAbout: false, next: null };
  const plain = serverQuery(query);
  if (plain !== null) {
    const { data, count } = await mailClient.query({
      ...plain,
      view: 'summary',
      count: PAGE_ROWS,
      ...('lastId' in start ? { last_id: start.lastId } : {}),
    });
    const last = data.at(-1);
    const next = last === undefined || data.length < PAGE_ROWS ? null : { lastId: last.id };
    return { rows: await open(data), count, isAbout: false, next };
  }
  ensureSearch();
  const after = 'after' in start ? start.after : null;
  const isFirst = after === null;
  const isComplete = searchView().index?.isComplete === true;
  const [found, fromServer] = await Promise.all([
    look(query, after).catch((error: unknown): Looked => {
      setSearchView({ hasIndexFailed: true });
      if (isComplete) throw error;
      return { mails: [], next: null, total: 0 };
    }),
    isFirst && !isComplete ? askServer(query) : [],
  ]);
  const known = new Set(found.mails.map(({ id }) => id));
  const more = fromServer.filter(mail => !known.has(mail.id) && isWanted(query, mail));
  const mails = [...found.mails, ...more].sort((a, b) => b.received_at.localeCompare(a.received_at));
  const isWhole = isFirst && found.next === null;
  return {
    rows: await open(mails),
    count: isWhole ? mails.length : found.total,
    isAbout: !isWhole,
    next: found.next,
  };
}

/**
 * Returns the text around the matches for messages whose snippet does not show them. Messages whose
 * text cannot be read are left out.
 */
export async function hitSnippets(
  text: string,
  now: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const query = parseQuery(text, readerCalendar(new Date(now)));
  if (serverQuery(query) !== null) return new Map();
  return (await searchIndex()).snippets(query, ids);
}
