/**
 * Features that YugabyteDB (YSQL, compatible with PostgreSQL 15) lacks, or has only since a release
 * or with a setting. Each rule has its reason and source, and is checked in the catalog of a schema
 * or in the text of a statement. Sources: its documentation («PostgreSQL compatibility», «Manual
 * review guideline» of Voyager), its issues, cited as yb 1668, and its grammar. For features added
 * since PostgreSQL 16, the source is the PostgreSQL release notes.
 */

/**
 * Finds the names of objects that break a rule, in the schemas of `o.nspname`, as rows with one
 * column `name`.
 */
type CatalogQuery = string;

export type Rule = {
  readonly name: string;
  readonly why: string;
  /** `yb` and a number refer to an issue of yugabyte/yugabyte-db. */
  readonly source: string;
  readonly catalog?: CatalogQuery;
  /** Matched against a statement in lowercase with collapsed white space. */
  readonly text?: RegExp;
};

/** A feature that YugabyteDB has under a condition. */
export type Need = Rule & {
  /** First release that has it. */
  readonly since: string;
  /** Setting that the operator must enable. */
  readonly setting?: string;
};

const OURS = `('public', 'pgboss')`;
const COMPATIBILITY = 'PostgreSQL compatibility, unsupported features';
const VOYAGER = 'Voyager, known issues of PostgreSQL';
const NEWER = 'PostgreSQL 16, 17 and 18, release notes';

const triggersWhere = (condition: string): CatalogQuery =>
  `select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace o on o.oid = c.relnamespace
   where not t.tgisinternal and o.nspname in ${OURS} and ${condition}`;
const constraintsWhere = (condition: string): CatalogQuery =>
  `select k.conname from pg_constraint k join pg_namespace o on o.oid = k.connamespace
   where o.nspname in ${OURS} and ${condition}`;
const columnsWhere = (condition: string): CatalogQuery =>
  `select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
   join pg_namespace o on o.oid = c.relnamespace join pg_type y on y.oid = a.atttypid
   where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p') and o.nspname in ${OURS} and ${condition}`;
const indexesWhere = (condition: string): CatalogQuery =>
  `select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid join pg_am m on m.oid = i.relam
   join pg_namespace o on o.oid = i.relnamespace where o.nspname in ${OURS} and ${condition}`;
const functionsWhere = (condition: string): CatalogQuery =>
  `select p.proname from pg_proc p join pg_namespace o on o.oid = p.pronamespace join pg_language l on l.oid = p.prolang
   where o.nspname in ${OURS} and not exists (select from pg_depend d
     where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e') and ${condition}`;

/** Column types known to be supported; `job_state` is an enumeration of pg-boss. */
const KNOWN_TYPES = `('bool', 'bytea', 'date', 'float8', 'int2', 'int4', 'int8', 'job_state', 'json', 'jsonb', 'numeric',
  'text', 'timestamp', 'timestamptz', 'uuid', 'varchar', '_int4', '_text', '_uuid')`;
const INDEXED_TYPES = `('bool', 'bytea', 'date', 'float8', 'int2', 'int4', 'int8', 'job_state', 'numeric', 'text',
  'timestamp', 'timestamptz', 'uuid', 'varchar')`;

/** Features that must not be used. */
export const RULES: readonly Rule[] = [
  {
    name: 'tables of a statement’s rows',
    why: 'triggers have no REFERENCING',
    source: 'yb 1668',
    catalog: triggersWhere('(t.tgoldtable is not null or t.tgnewtable is not null)'),
    text: /\breferencing (old|new) table\b/,
  },
  {
    name: 'constraint triggers',
    why: 'CREATE CONSTRAINT TRIGGER is refused',
    source: 'yb 4700',
    catalog: triggersWhere('t.tgconstraint <> 0'),
  },
  {
    name: 'exclusion constraints',
    why: 'EXCLUDE is refused',
    source: 'yb 3944',
    catalog: constraintsWhere(`k.contype = 'x'`),
  },
  {
    name: 'keys that may be deferred',
    why: 'of constraints only references may be deferrable',
    source: 'yb 1709',
    catalog: constraintsWhere(`k.condeferrable and k.contype in ('p', 'u')`),
  },
  {
    name: 'constraints of PostgreSQL 18',
    why: 'NOT ENFORCED and keys over periods are not in 15',
    source: NEWER,
    catalog: constraintsWhere('(not k.conenforced or k.conperiod)'),
  },
  {
    name: 'indexes of other kinds',
    why: 'GiST, SP-GiST, BRIN and hash are not there; a B-tree becomes an LSM tree, GIN is ybgin',
    source: 'yb 1337',
    catalog: indexesWhere(`m.amname not in ('btree', 'gin')`),
  },
  {
    name: 'GIN over several columns',
    why: 'ybgin takes one',
    source: 'yb 10652',
    catalog: indexesWhere(`m.amname = 'gin' and x.indnkeyatts > 1`),
  },
  {
    name: 'storage parameters of an index',
    why: 'unrecognised, and refused',
    source: 'yb 23467',
    catalog: indexesWhere('i.reloptions is not null'),
  },
  {
    name: 'indexes of other types',
    why: 'INET, JSONB, arrays, ranges, TSVECTOR and the like cannot be indexed by order',
    source: 'yb 9698, 17017, 23829',
    catalog:
      indexesWhere(`m.amname = 'btree' and exists (select from pg_attribute a join pg_type y on y.oid = a.atttypid
      where a.attrelid = i.oid and y.typname not in ${INDEXED_TYPES})`),
  },
  {
    name: 'columns of other types',
    why: 'XML, large objects, transaction ids and types of extensions are not there; these are',
    source: 'yb 1043, 11323, 15638, 25318',
    catalog: columnsWhere(`y.typname not in ${KNOWN_TYPES}`),
  },
  {
    name: 'virtual columns',
    why: 'computed when they are read since PostgreSQL 18',
    source: NEWER,
    catalog: columnsWhere(`a.attgenerated = 'v'`),
  },
  {
    name: 'compression of a column',
    why: 'there is no TOAST',
    source: VOYAGER,
    catalog: columnsWhere(`a.attcompression <> ''`),
  },
  {
    name: 'collations of our own',
    why: 'others than the default and C need other builds, and some are refused',
    source: VOYAGER,
    catalog: columnsWhere(
      `a.attcollation <> 0 and a.attcollation not in (select oid from pg_collation where collname in ('C', 'default'))`,
    ),
  },
  {
    name: 'inheritance',
    why: 'INHERITS is refused; partitions, which are something else, are not',
    source: 'yb 5956',
    catalog: `select c.relname from pg_inherits h join pg_class c on c.oid = h.inhrelid join pg_class p on p.oid = h.inhparent
      join pg_namespace o on o.oid = c.relnamespace where p.relkind = 'r' and o.nspname in ${OURS}`,
  },
  {
    name: 'views that check',
    why: 'WITH CHECK OPTION is refused',
    source: 'yb 22716',
    catalog: `select c.relname from pg_class c join pg_namespace o on o.oid = c.relnamespace
      where c.relkind = 'v' and array_to_string(c.reloptions, ' ') like '%check_option%' and o.nspname in ${OURS}`,
  },
  {
    name: 'extensions',
    why: 'those that come with it are listed; of them we know pg_trgm',
    source: 'PostgreSQL extensions',
    catalog: `select extname from pg_extension where extname not in ('plpgsql', 'pg_trgm')`,
  },
  {
    name: 'languages of functions',
    why: 'SQL and PL/pgSQL are always there',
    source: COMPATIBILITY,
    catalog: functionsWhere(`l.lanname not in ('plpgsql', 'sql')`),
  },
  {
    name: 'types by reference',
    why: '%TYPE is refused in functions',
    source: 'yb 23619',
    catalog: functionsWhere(`p.prosrc ~* '%(row)?type\\M'`),
  },
  {
    name: 'system columns',
    why: 'rows have no xmin, xmax, cmin, cmax or ctid',
    source: 'yb 24843',
    text: /\b(xmin|xmax|cmin|cmax|ctid)\b/,
  },
  {
    name: 'transaction ids',
    why: 'transactions are ordered by hybrid clocks',
    source: 'yb 15638',
    text: /\b(txid_\w+|pg_current_xact_id\w*|pg_current_snapshot|pg_snapshot_\w+|pg_visible_in_snapshot|pg_xact_\w+)\s?\(/,
  },
  {
    name: 'locks of tables',
    why: 'LOCK TABLE is refused, or let through for some modes only',
    source: 'yb 5384',
    text: /\block table\b|^lock \w+ in \w/,
  },
  { name: 'MERGE', why: 'refused', source: 'yb 25574', text: /\bmerge into\b|\.mergeinto\(/ },
  {
    name: 'two-phase commit',
    why: 'PREPARE TRANSACTION is refused',
    source: 'yb 11084',
    text: /\bprepare transaction\b|\b(commit|rollback) prepared\b/,
  },
  {
    name: 'functions of XML',
    why: 'it is built without libxml',
    source: 'yb 1043',
    text: /\b(xpath\w*|xml(agg|comment|concat|element|exists|forest|parse|pi|root|serialize|table|text)|xml_is_well_formed\w*)\s?\(/,
  },
  {
    name: 'large objects',
    why: 'there is no pg_largeobject',
    source: 'yb 25318',
    text: /\b(lo_(creat|create|export|from_bytea|get|import|open|put|unlink)|loread|lowrite)\s?\(/,
  },
  {
    name: 'alterations of a table',
    why: 'its grammar refuses these forms of ALTER TABLE',
    source: 'yb 1124, 29547, and gram.y',
    text: /\balter table\b.*\b(set storage|set compression|(re)?set \(|alter constraint|validate constraint|cluster on|set without cluster|set (un)?logged|(enable|disable)( always| replica)? rule|(no )?inherit \w|set tablespace|replica identity)/,
  },
  {
    name: 'care of tables',
    why: 'REINDEX and CLUSTER are refused: its storage compacts itself',
    source: 'pg-boss, profile of YugabyteDB',
    text: /^(reindex|cluster)\b/,
  },
  {
    name: 'functions of PostgreSQL 16 and later',
    why: 'not in 15',
    source: NEWER,
    text: /\b(any_value|array_(reverse|sample|shuffle|sort)|casefold|crc32c?|date_(add|subtract)|erfc?|gamma|lgamma|json_(array|arrayagg|exists|objectagg|query|scalar|serialize|table|value)|merge_action|pg_basetype|pg_input_(error_info|is_valid)|random_normal|system_user|to_(bin|oct)|unicode_(assigned|version)|uuid_extract_\w+|uuidv[47])\s?\(/,
  },
  {
    name: 'words of PostgreSQL 16 and later',
    why: 'IS JSON, RETURNING OLD and NEW, WITHOUT OVERLAPS, ON_ERROR and numbers with underscores are not in 15',
    source: NEWER,
    text: /\b(select|where|check|when)\b.*\bis (not )?json\b|\breturning\b[^;)]*\b(old|new)\.\w|\breturning with \(|\bwithout overlaps\b|\bon_error\b|[\s(]\d{1,3}(_\d{3})+\b|\b0x[0-9a-f]+\b/,
  },
];

/**
 * Features that require a release or a setting. The newest of these releases is the minimum
 * version.
 */
export const NEEDS: readonly Need[] = [
  {
    name: 'LISTEN and NOTIFY',
    why: 'events between machines; without it clients hear of mail by polling',
    source: 'yb 1872, 31127; LISTEN, NOTIFY, and UNLISTEN [YSQL]',
    since: '2025.2.3',
    setting: '`ysql_yb_enable_listen_notify=true` for masters and tservers',
    text: /\bpg_notify\(|^(un)?listen \S/,
  },
  {
    name: 'advisory locks',
    why: 'the key log, a destination’s leases and migrations are one after the other by them',
    source: 'yb 3642',
    since: '2025.1',
    text: /\bpg_(try_)?advisory_(xact_)?(un)?lock\w*\(/,
  },
  {
    name: 'PostgreSQL 15',
    why: 'functions with a body of SQL, triggers that are replaced',
    source: 'yb 25575',
    since: '2025.1',
    catalog: functionsWhere('p.prosqlbody is not null'),
  },
  {
    name: 'waiting for locks of rows',
    why: 'who waited for a lock sees what was committed meanwhile, as in PostgreSQL’s READ COMMITTED',
    source: 'Enhanced PostgreSQL Compatibility Mode',
    since: '2024.2.2',
    setting: '`yb_enable_read_committed_isolation=true`, and `enable_wait_queues` left on',
    text: /\bfor (no key update|update|key share|share)\b/,
  },
  {
    name: 'tables without a log',
    why: 'taken, and logged',
    source: 'yb 1129',
    since: '2024.2',
    catalog: `select c.relname from pg_class c join pg_namespace o on o.oid = c.relnamespace
      where c.relkind = 'r' and c.relpersistence = 'u' and o.nspname in ${OURS}`,
  },
  {
    name: 'changes of the schema within a transaction',
    why: 'all migrations of an upgrade are one; otherwise what a broken one had done stays',
    source: 'yb 1404; Transactional DDL',
    since: '2025.2',
    setting:
      '`ysql_yb_ddl_transaction_block_enabled=true`, if your release allows it beside the CDC that NOTIFY is made of',
    text: /^(create|alter|drop) (unlogged |unique )?(table|index)\b/,
  },
  {
    name: 'indexes by time',
    why: 'what comes first is otherwise spread by its hash, and what is due is found by reading all',
    source: 'Enhanced PostgreSQL Compatibility Mode, Default ascending indexing',
    since: '2024.1',
    setting: '`yb_use_hash_splitting_by_default=false`',
    catalog:
      indexesWhere(`m.amname = 'btree' and exists (select from pg_attribute a join pg_type y on y.oid = a.atttypid
      where a.attrelid = i.oid and a.attnum = 1 and y.typname = 'timestamptz')`),
  },
];

/** Features that exist but report less, by rule; docs/scaling.md describes the substitutes. */
export const LESS: readonly Rule[] = [
  {
    name: 'sizes',
    why: 'of a database none is told, and of tables without their indexes',
    source: 'yb 7185, 19158, 23181',
    text: /\bpg_(database|indexes|relation|table|total_relation)_size\(/,
  },
];
