/**
 * Parses the texts of MTA-STS (RFC 8461): the record that announces a policy, the policy itself,
 * and the mail servers it allows. Pure; all input is untrusted.
 */

export type StsMode = 'enforce' | 'none' | 'testing';

export type StsPolicy = {
  /** Id from the record that announced it; another id means another policy. */
  readonly id: string;
  readonly mode: StsMode;
  /** Names of mail servers, in lowercase; the first label may be `*`. */
  readonly mx: readonly string[];
  readonly maxAgeSeconds: number;
};

/** RFC 8461 §3.2: one year. */
const MAX_AGE_MAX_SECONDS = 31_557_600;
/** Maximum number of patterns kept per policy; real policies have a handful. */
const MX_MAX = 100;

const FIELD_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;
const RECORD = /^v=STSv1\s*;/;
const RECORD_ID = /^\s*id\s*=\s*([A-Za-z0-9]{1,32})\s*$/;
const MX_PATTERN = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * Returns the id from the TXT records of `_mta-sts.`; null unless there is exactly one valid record
 * (RFC 8461 §3.1).
 */
export function findPolicyId(records: readonly unknown[]): string | null {
  const texts = records
    .map(record => (Array.isArray(record) ? record.join('') : ''))
    .filter(text => RECORD.test(text));
  const [text] = texts;
  if (text === undefined || texts.length > 1) return null;
  for (const field of text.split(';')) {
    const id = RECORD_ID.exec(field)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}

const MODES: ReadonlySet<string> = new Set<StsMode>(['enforce', 'none', 'testing']);
const isMode = (text: string | undefined): text is StsMode => text !== undefined && MODES.has(text);

/**
 * Parses a policy as the domain's web server returns it; returns null for one that breaks the rules
 * (RFC 8461 §3.2).
 */
export function readPolicy(body: string, id: string): StsPolicy | null {
  const fields = new Map<string, string>();
  const mx: string[] = [];
  // Split by hand: a regular expression with spaces on both sides of a field would take hours on a
  // crafted line.
  for (const line of body.split('\n')) {
    const at = line.indexOf(':');
    const key = line.slice(0, Math.max(at, 0)).trimEnd();
    const value = line.slice(at + 1).trim();
    if (!FIELD_NAME.test(key)) continue;
    if (key === 'mx') mx.push(value.toLowerCase());
    // For a field that is not a list, the first occurrence counts.
    else if (!fields.has(key)) fields.set(key, value);
  }
  const mode = fields.get('mode');
  const maxAge = fields.get('max_age') ?? '';
  if (fields.get('version') !== 'STSv1' || !isMode(mode) || !/^\d{1,10}$/.test(maxAge)) return null;
  if (mode !== 'none' && (mx.length === 0 || mx.length > MX_MAX || !mx.every(one => MX_PATTERN.test(one))))
    return null;
  return { id, mode, mx, maxAgeSeconds: Math.min(Number(maxAge), MAX_AGE_MAX_SECONDS) };
}

/**
 * Returns whether a policy allows a mail server with this name; `*` matches one label (RFC 8461
 * §4.1).
 */
export function isMxAllowed({ mx }: Pick<StsPolicy, 'mx'>, hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const parent = name.slice(name.indexOf('.') + 1);
  return mx.some(one =>
    one.startsWith('*.') ? name.includes('.') && one.slice(2) === parent : one === name,
  );
}
