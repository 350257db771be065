// What a point-in-time restore reports about its archive. tests/backup.test.ts tests it with the
// whole product.
import { expect, test } from 'vitest';
import { createMasterKey } from '../../../base/master-key.ts';
import { isArchiveVouchedFor } from './point-in-time.ts';

const key = createMasterKey(Buffer.alloc(32, 1));

test.each([
  ['the key was here, and has marked the backup', true, { key, mayLack: false }, true],
  ['the key came along in the backup', false, { key, mayLack: false }, false],
  ['files without a mark were taken', true, { key, mayLack: true }, false],
  ['there is no key', false, { key: null, mayLack: false }, false],
])(
  'an archive is vouched for only with the key that marked the backup: %s',
  (_, isBackupMarked, marks, isVouchedFor) => {
    expect(isArchiveVouchedFor(isBackupMarked, { ...marks, database: '7' })).toBe(isVouchedFor);
  },
);
