/**
 * Compares a domain's DNS records with the expected ones. A missing response never counts as "no
 * record": the previous finding stays. Other parties' record texts are truncated, and only a few of
 * them are kept.
 */
import type { RECORD_ADVICE } from '@keyfold/contract';
import { z } from 'zod';
import { type Dns, isAbsence } from '../../../adapters/dns.ts';
import { type Expected, OWNERSHIP_PREFIX } from './records.ts';

/** A DNS response as texts: a TXT record in full, an MX record as `priority host`. */
export type Answer = { readonly kind: 'records' | 'absent' | 'unknown'; readonly texts: readonly string[] };

const finding = z.object({
  state: z.enum(['found', 'waiting', 'different', 'unknown']),
  /** As of the last response. */
  ok: z.boolean(),
  found: z.array(z.string()),
  advice: z.string().optional(),
});
export type Finding = Omit<z.infer<typeof finding>, 'advice'> & {
  readonly advice?: (typeof RECORD_ADVICE)[number];
};
/** Findings by record key. */
export type Findings = Readonly<Record<string, Finding>>;

/** Parses stored findings. Returns an empty object when there are none. */
export const readFindings = (stored: unknown): Findings =>
  stored === null || stored === undefined ? {} : (z.record(z.string(), finding).parse(stored) as Findings);

const FOUND_MAX = 5;
const FOUND_MAX_CHARACTERS = 600;
/** Maximum number of records checked per name. A name with more is not a plausible mail domain. */
const TEXTS_MAX = 200;

const shorten = (texts: readonly string[]): string[] =>
  texts
    .slice(0, FOUND_MAX)
    .map(text =>
      (text.length > FOUND_MAX_CHARACTERS ? `${text.slice(0, FOUND_MAX_CHARACTERS)}…` : text).replace(
        /\p{Cc}/gu,
        ' ',
      ),
    );

function toText(record: unknown): string {
  if (Array.isArray(record)) return record.join('');
  if (typeof record === 'object' && record !== null && 'exchange' in record && 'priority' in record)
    return `${record.priority} ${String(record.exchange).toLowerCase()}`;
  return String(record);
}

async function ask(dns: Dns, { name, type }: Expected): Promise<Answer> {
  try {
    const records = await dns.resolve(name, type);
    return { kind: 'records', texts: records.slice(0, TEXTS_MAX).map(toText) };
  } catch (error) {
    return { kind: isAbsence(error) ? 'absent' : 'unknown', texts: [] };
  }
}

const good = (others: readonly string[] = []): Finding => ({
  state: 'found',
  ok: true,
  found: shorten(others),
});
const waiting: Finding = { state: 'waiting', ok: false, found: [], advice: 'add' };
const different = (found: readonly string[], advice: NonNullable<Finding['advice']>): Finding => ({
  state: 'different',
  ok: false,
  found: shorten(found),
  advice,
});

/** Returns the texts that start with the given prefix, ignoring case. */
const beginning = (texts: readonly string[], start: string): string[] =>
  texts.filter(text => text.trim().toLowerCase().startsWith(start));

function judgeOwnership(expected: Expected, texts: readonly string[]): Finding {
  const tokens = beginning(texts, OWNERSHIP_PREFIX).map(text => text.trim());
  const others = tokens.filter(text => text !== expected.value);
  if (tokens.includes(expected.value)) return good(others);
  return tokens.length === 0 ? waiting : different(others, 'add');
}

function judgeMx({ value, siblings = [value], is_required }: Expected, texts: readonly string[]): Finding {
  const hosts = texts.map(text => (text.split(' ')[1] ?? '').replace(/\.$/, ''));
  if (hosts.length === 0) return waiting;
  const isOurs = hosts.map(host => siblings.includes(host));
  if (isOurs.every(Boolean)) return is_required || hosts.includes(value) ? good() : waiting;
  // A server other than ours would receive some of the mail.
  return different(texts, isOurs.some(Boolean) ? 'remove_others' : 'replace');
}

const SPF = /^v=spf1(?:\s|$)/i;

function judgeSpf({ value }: Expected, texts: readonly string[]): Finding {
  const records = texts.map(text => text.trim()).filter(text => SPF.test(text));
  const [record] = records;
  if (record === undefined) return waiting;
  // RFC 7208 §4.5: with two SPF records, neither is valid.
  if (records.length > 1) return different(records, 'keep_one');
  const [, wanted = ''] = value.split(' ');
  const has = record.split(/\s+/).some(term => term.toLowerCase().replace(/^\+/, '') === wanted);
  return has ? good() : different([record], 'merge');
}

function tagOf(text: string, tag: string): string | null {
  const found = text
    .split(';')
    .map(part => part.trim())
    .find(part => part.toLowerCase().startsWith(`${tag}=`));
  return found === undefined ? null : found.slice(tag.length + 1).replace(/\s+/g, '');
}

function judgeDkim({ value }: Expected, texts: readonly string[]): Finding {
  if (texts.length === 0) return waiting;
  if (texts.length > 1) return different(texts, 'keep_one');
  return tagOf(texts[0] ?? '', 'p') === tagOf(value, 'p') ? good() : different(texts, 'replace');
}

function judgeDmarc(_expected: Expected, texts: readonly string[]): Finding {
  const records = beginning(texts, 'v=dmarc1');
  if (records.length === 0) return texts.length === 0 ? waiting : different(texts, 'replace');
  if (records.length > 1) return different(records, 'keep_one');
  const policy = tagOf(records[0] ?? '', 'p')?.toLowerCase();
  return ['none', 'quarantine', 'reject'].includes(policy ?? '') ? good() : different(records, 'replace');
}

function judgeText({ value }: Expected, texts: readonly string[]): Finding {
  const [version = ''] = value.split(';');
  const records = beginning(texts, version.toLowerCase());
  if (records.length === 0) return waiting;
  return records.length > 1 ? different(records, 'keep_one') : good();
}

function judgePolicyId({ value }: Expected, texts: readonly string[]): Finding {
  const records = beginning(texts, 'v=stsv1');
  if (records.length === 0) return waiting;
  if (records.length > 1) return different(records, 'keep_one');
  // With the id of another policy, senders keep that policy until it expires.
  return tagOf(records[0] ?? '', 'id') === tagOf(value, 'id') ? good() : different(records, 'replace');
}

function judgeAlias({ value }: Expected, texts: readonly string[]): Finding {
  if (texts.length === 0) return waiting;
  return texts.some(text => text.replace(/\.$/, '').toLowerCase() === value)
    ? good()
    : different(texts, 'replace');
}

const JUDGES: Readonly<
  Record<Expected['purpose'], (expected: Expected, texts: readonly string[]) => Finding>
> = {
  ownership: judgeOwnership,
  mx: judgeMx,
  spf: judgeSpf,
  dkim: judgeDkim,
  dmarc: judgeDmarc,
  mta_sts: judgePolicyId,
  tls_rpt: judgeText,
};

/** Evaluates a DNS response for one record. */
export function judgeAnswer(expected: Expected, answer: Answer, before: Finding | undefined): Finding {
  if (answer.kind === 'unknown')
    return { state: 'unknown', ok: before?.ok ?? false, found: before?.found ?? [], advice: 'ask_again' };
  const judge = expected.type === 'CNAME' ? judgeAlias : JUDGES[expected.purpose];
  return judge(expected, answer.texts);
}

/** Queries all records at once. A query that exceeds the time limit counts as unanswered. */
export async function lookAt(
  dns: Dns,
  expected: readonly Expected[],
  before: Findings,
  timeLimitMs: number,
): Promise<Findings> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<Answer>(resolve => {
    timer = setTimeout(resolve, timeLimitMs, { kind: 'unknown', texts: [] });
  });
  const asked = new Map<string, Promise<Answer>>();
  const askOnce = (one: Expected): Promise<Answer> => {
    const name = `${one.type} ${one.name}`;
    const answer = asked.get(name) ?? ask(dns, one);
    asked.set(name, answer);
    return answer;
  };
  try {
    const entries = expected.map(async one => {
      const answer = await Promise.race([askOnce(one), timeUp]);
      return [one.key, judgeAnswer(one, answer, before[one.key])] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  } finally {
    clearTimeout(timer);
  }
}
