import { opened } from './crypto/opened.ts';
import workerUrl from './crypto/worker.ts?worker&url';

export const start = [opened, workerUrl];
