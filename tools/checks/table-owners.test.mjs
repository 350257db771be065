import { describe, expect, it } from 'vitest';
import { findOwnerProblems, findTables, findUses, gatherUses } from './table-owners.mjs';

const tables = new Set(['mails', 'tags']);

describe('findTables', () => {
  it('reads long and short lists of tables', () => {
    const text = `export type Tables = Others & {\n  mails: MailsTable;\n  counts: CountsTable & { id: number };\n  mail_tags: MailTagsTable;\n};\nexport type ImportTables = { server_imports: ServerImportsTable };`;
    expect(findTables(text)).toEqual(['mails', 'counts', 'mail_tags', 'server_imports']);
  });
});

describe('findUses', () => {
  it('sees calls of Kysely, with and without a short name, and SQL', () => {
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

  it('is content with the owner, and with who is listed', () => {
    const found = used({ ...owner, 'a/b/store.ts': `db.selectFrom('tags')` });
    expect(findOwnerProblems(found, { tags: { owner: 'reading/tags', alsoRead: ['a/b'] } })).toEqual([]);
  });

  it('refuses who is not listed, and a reader that writes', () => {
    const found = used({ ...owner, 'a/b/store.ts': `db.deleteFrom('tags')` });
    const problem = 'a/b may not write tags: ask reading/tags.';
    expect(findOwnerProblems(found, { tags: { owner: 'reading/tags' } })).toEqual([problem]);
    expect(findOwnerProblems(found, { tags: { owner: 'reading/tags', alsoRead: ['a/b'] } })).toContain(
      problem,
    );
  });

  it('wants the list to shrink with the code, and to know every table', () => {
    const list = { tags: { owner: 'reading/tags', alsoRead: ['a/b'] }, gone: { owner: 'a/b' } };
    expect(findOwnerProblems(used(owner), list)).toHaveLength(2);
    expect(findOwnerProblems(used(owner), {})).toHaveLength(1);
  });
});
