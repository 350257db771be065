/**
 * Where files of imports lie by a configuration: in the bucket, or in a folder of the data directory.
 */
import type { Config } from '../config/config.ts';
import type { ImportFiles } from './import-files.ts';
import { createImportFolder } from './import-files-disk.ts';
import { createImportBucket } from './import-files-s3.ts';

export const openImportFiles = ({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): ImportFiles =>
  s3 === undefined ? createImportFolder(dataDir) : createImportBucket(s3, dataDir);
