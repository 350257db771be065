import { describe, expect, it } from 'vitest';
import { findOwnerProblems, findTables, findUses, gatherUses } from './table-owners.mjs';

const tables = new Set(['mails', 'tags']);

describe('findTables', () => {
  it('reads table lists on one line and on several', () => {
    const text = `export type Tables = Others & {\n  mails: MailsTable;\n  counts: CountsTable & { id: number };\n  mail_tags: MailTagsTable;\n};\nexport type ImportTables = { server_imports: ServerImportsTable };`;
    expect(findTables(text)).toEqual(['mails', 'counts', 'mail_tags', 'server_imports']);
  });
});

describe('findUses', () => {
  it('finds Kysely calls, with and without an alias, and SQL', () => {
    const text = `
      db.selectFrom('mails as m').innerJoin('tags', 'a', 'b');
      db.selectFrom(['mails', 'tags']);
      trx.insertInto('tags').values({});
      sql\`update mails set a = \${1} from tags where x\`;
      sql\`delete from only tags\`;`;
    expect(findUses('a.ts', text, tables)).toEqual([
      { table: 'tags', isWrite: false },
      { table: 'mails', isWrite: false },
      { table: 'mails', isWrite: false },
      { table: 'tags', isWrite: false },
      { table: 'tags', isWrite: true },
      { table: 'mails', isWrite: true },
      { table: 'tags', isWrite: false },
      { table: 'tags', isWrite: true },
    ]);
  });

  it('counts the declaration of a queue as a write', () => {
    const text = `const a = userQueue('mails', ['user_id', 'id']); sharedQueue(other, []);`;
    expect(findUses('a.ts', text, tables)).toEqual([{ table: 'mails', isWrite: true }]);
  });
});

describe('findOwnerProblems', () => {
  const used = files =>
    gatherUses(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [`apps/server/src/features/${name}`, text]),
      ),
      new Set(['tags']),
    );
  const owner = { 'reading/tags/store.ts': `db.insertInto('tags')` };

  it('accepts the owner and the listed readers', () => {
    const found = used({ ...owner, 'a/b/store.ts': `db.selectFrom('tags')` });
    expect(findOwnerProblems(found, { tags: { owner: 'reading/tags', alsoRead: ['a/b'] } })).toEqual([]);
  });

  it('refuses unlisted readers, and listed readers that write', () => {
    const found = used({ ...owner, 'a/b/store.ts': `db.deleteFrom('tags')` });
    const problem = 'a/b may not write tags: call reading/tags instead.';
    expect(findOwnerProblems(found, { tags: { owner: 'reading/tags' } })).toEqual([problem]);
    expect(findOwnerProblems(found, { tags: { owner: 'reading/tags', alsoRead: ['a/b'] } })).toContain(
      problem,
    );
  });

  it('requires every table to be listed and every entry to be in use', () => {
    const list = { tags: { owner: 'reading/tags', alsoRead: ['a/b'] }, gone: { owner: 'a/b' } };
    expect(findOwnerProblems(used(owner), list)).toHaveLength(2);
    expect(findOwnerProblems(used(owner), {})).toHaveLength(1);
  });
});
