// With a session end the workers that hold mail or keys of their own: before the keys are locked, so that none of them is left
// halfway, and before files are removed, so that none of them writes another. The workers and the server are stand-ins.
import { beforeEach, expect, test, vi } from 'vitest';
import { endWithSession } from '../crypto/worker/session-end.ts';

const { steps, logout } = vi.hoisted(() => ({ steps: [] as string[], logout: vi.fn() }));
vi.mock('./calls/clients/auth.ts', () => ({ authClient: { logout } }));
vi.mock('../crypto/key-client.ts', () => ({ lockKeys: async () => steps.push('keys') }));
vi.mock('../crypto/search-client.ts', () => ({ resumeSearch: () => undefined }));

const { loseSession, signOut } = await import('./session.ts');

vi.stubGlobal('localStorage', { removeItem: () => undefined });
vi.stubGlobal('indexedDB', { deleteDatabase: (name: string) => steps.push(name) });
vi.stubGlobal('navigator', {
  storage: {
    getDirectory: async () => {
      steps.push('files');
      return {
        keys: async function* () {
          yield* [] as string[];
        },
      };
    },
  },
});
const end = () => steps.push('export');
const endOther = () => steps.push('import');

beforeEach(() => {
  steps.length = 0;
  logout.mockReset();
  logout.mockResolvedValue({});
  for (const one of [end, endOther, end]) endWithSession(one);
});

test('signing out ends them first', async () => {
  await signOut();
  expect(steps).toEqual(['export', 'import', 'keys', 'files']);
});

test('a session that the server ended ends them as well, and what lies on the device with the names of files goes', async () => {
  await loseSession();
  expect(steps).toEqual(['export', 'import', 'import-files', 'keys']);
});
